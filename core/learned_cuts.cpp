#include "core/learned_cuts.h"

#include "core/base/contains.h"
#include "core/bound_of_all.h"
#include "core/recompute_climb.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr int mostMisses = 6; // of rounds behind one that fits, which are no faster

} // namespace

EstimatedCuts estimatedCuts(Partition partition, const std::optional<std::vector<Seconds>>& loads)
{
    if (!loads)
        return {std::move(partition)};
    return {std::move(partition), slownessOf(*loads), std::ranges::max(*loads)};
}

LearnedCuts::LearnedCuts(const RecomputedCuts& cuts, RecomputeAttempts& attempts, RecomputeChooser::Ways ways)
    : m_cuts(cuts),
      m_attempts(attempts),
      m_ways(ways),
      m_rooms(attempts.rooms()),
      m_unfit(evenShare(attempts.ground().full) * static_cast<double>(m_rooms.size()))
{
}

// None: what one is told does not fit.
std::optional<LearnedCuts::Weighed> LearnedCuts::chosenFor(const Partition& partition,
                                                           const std::vector<Bytes>& rooms) const
{
    auto loads = m_attempts.choice().estimate(partition, rooms, m_attempts.known());
    if (!loads)
        return std::nullopt;
    return Weighed{*std::move(loads),
                   knownOf(m_attempts.chooser().choose(partition, rooms, m_attempts.known()).value())};
}

void LearnedCuts::seek(const CutsOver& over)
{
    RecomputedCuts::Asked asked{m_rooms, Seconds(infinite), m_ways};
    std::vector<Partition> sliced;
    int misses = 0;
    for (int round = 0; misses < mostMisses && (round == 0 || !over.rounds()); ++round) {
        const std::optional<Partition> next = m_cuts.within(asked, m_seen, over.slicing);
        if (!next || contains(sliced, *next))
            break;
        sliced.push_back(*next);
        const Slices slices = m_cuts.slicesOf(*next);
        const std::vector<Bytes> rooms = roomsToChoose(slices);
        const std::optional<Weighed> weighed = chosenFor(*next, rooms);
        if (weighed && !contains(m_attempts.tried(), *next))
            learn(slices, *weighed, rooms);
        m_found.push_back(estimatedCuts(*next, weighed ? std::optional(weighed->loads) : std::nullopt));
        const Seconds slowest = weighed && fits(*weighed, rooms) ? m_found.back().slowest : Seconds(infinite);
        misses = slowest < asked.most || asked.most == Seconds(infinite) ? 0 : misses + 1;
        asked.most = std::min(asked.most, slowest);
    }
}

std::optional<EstimatedCuts> LearnedCuts::next(const CutsOver& over)
{
    seek(over);
    std::ranges::stable_sort(m_found, {}, &EstimatedCuts::slowest);
    const auto best = std::ranges::find_if(
        m_found, [&](const EstimatedCuts& of) { return !contains(m_attempts.tried(), of.partition); });
    return best != m_found.end() ? std::optional(*best) : std::nullopt;
}

bool LearnedCuts::fits(const Weighed& weighed, const std::vector<Bytes>& rooms)
{
    for (std::size_t stage = 0; stage < rooms.size(); ++stage)
        if (weighed.known[stage].memory > rooms[stage])
            return false;
    return true;
}

// Less than stages may hold by as much as those that were traced near by hold more than was chosen for.
std::vector<Bytes> LearnedCuts::roomsToChoose(const Slices& slices) const
{
    std::vector<Bytes> rooms = m_rooms;
    for (std::size_t stage = 0; stage < rooms.size(); ++stage)
        if (slices[stage] && rooms[stage] != Bytes::max())
            rooms[stage] -= m_traced.foresee(*slices[stage]).more;
    return rooms;
}

void LearnedCuts::learn(const Partition& partition, const PlanCost& cost)
{
    const Slices slices = m_cuts.slicesOf(partition);
    const std::optional<Weighed> chosen = chosenFor(partition, roomsToChoose(slices));
    Weighed traced{{}, knownOf(cost)};
    for (const StageId id : cost.stages.ids()) {
        const std::size_t stage = id.index();
        const StageCost& of = cost.stages[id];
        traced.loads.push_back(TracedChoice::asBadAs(of.load, of.peakMemory, m_rooms[stage]));
        if (slices[stage] && chosen)
            m_traced.add(*slices[stage], {{}, of.peakMemory - chosen->known[stage].memory});
    }
    learn(slices, traced, m_rooms);
}

// One over its room is worse than any that is not.
void LearnedCuts::learn(const Slices& slices, const Weighed& weighed, const std::vector<Bytes>& rooms)
{
    for (const std::optional<StageSlice>& slice : slices) {
        const auto more = slice ? m_cuts.more(*slice, weighed.known[slice->stage], m_ways) : std::nullopt;
        if (!more)
            continue;
        const std::size_t stage = slice->stage;
        const bool fits = weighed.known[stage].memory <= rooms[stage];
        m_seen.add(*slice, {weighed.loads[stage] + (fits ? Seconds{} : m_unfit),
                            m_rooms[stage] == Bytes::max() ? Bytes{} : *more});
    }
}

} // namespace stagecraft
