#include "core/chosen_cuts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t mostEnds = 6;    // of a stage
constexpr std::size_t farther = 3;     // than where the stage ends that begins a little before
constexpr std::size_t mostMisses = 16; // of ends of a stage, behind each other
constexpr double nearlyFastest = 1e-2; // where the search for the fastest ends

} // namespace

ChosenCuts::ChosenCuts(const PartitionProblem& problem, std::vector<std::size_t> places, StageLoad loadOf)
    : m_problem(problem), m_places(std::move(places)), m_loadOf(std::move(loadOf))
{
    Seconds before;
    std::size_t node = 0;
    for (const std::size_t place : m_places) {
        for (; node < place; ++node)
            before += m_problem.nodes[NodeId(node)].time();
        m_seconds.push_back(before);
    }
}

std::optional<Partition> ChosenCuts::within(Seconds most, const IsOver& isOver) const
{
    const std::size_t stages = m_problem.stageCount();
    if (!areEnough())
        return std::nullopt;
    std::vector<Ends> ends;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        ends.push_back(endsOf(stage, stage == 0 ? Ends{{0, 0}} : ends.back(), most, isOver));
        if (ends.back().empty())
            return std::nullopt;
    }
    return partitionFrom([&](std::size_t stage, std::size_t end) {
        return std::ranges::lower_bound(ends[stage], end, {}, &End::place)->begin;
    });
}

template <typename BeginOf>
Partition ChosenCuts::partitionFrom(BeginOf beginOf) const
{
    const std::size_t stages = m_problem.stageCount();
    Partition partition{stages, Table<NodeId, StageId>(m_problem.nodes.size(), StageId(0))};
    std::size_t end = m_places.size() - 1;
    for (std::size_t stage = stages; stage-- > 0;) {
        const std::size_t begin = beginOf(stage, end);
        for (std::size_t node = m_places[begin]; node < m_places[end]; ++node)
            partition.stageOf[NodeId(node)] = StageId(stage);
        end = begin;
    }
    takeLookersAlong(m_problem, partition);
    return partition;
}

std::optional<Partition> ChosenCuts::fastest(Seconds least, Seconds most, const IsOver& isOver) const
{
    std::optional<Partition> found = within(most, isOver);
    while (found && !isOver() && most - least > most * nearlyFastest) {
        const Seconds middle(std::sqrt(least.value() * most.value()));
        std::optional<Partition> faster = within(middle, isOver);
        (faster ? most : least) = middle;
        if (faster)
            found = std::move(faster);
    }
    return found;
}

std::optional<Partition> ChosenCuts::fastestOfAll(Seconds most, const IsOver& isOver) const
{
    if (!areEnough())
        return std::nullopt;
    std::vector<Bests> bests;
    Bests first(m_places.size());
    first.front().slowest = Seconds{};
    for (std::size_t stage = 0; stage < m_problem.stageCount(); ++stage)
        bests.push_back(bestsOf(stage, stage == 0 ? first : bests.back(), most, isOver));
    if (isOver() || bests.back().back().slowest >= most)
        return std::nullopt;
    return partitionFrom([&](std::size_t stage, std::size_t end) { return bests[stage][end].begin; });
}

ChosenCuts::Bests ChosenCuts::bestsOf(std::size_t stage, const Bests& before, Seconds most,
                                      const IsOver& isOver) const
{
    const std::size_t all = m_places.size() - 1;
    const bool isLast = stage + 1 == m_problem.stageCount();
    const Seconds longest = most * m_problem.options.speeds[stage], rest = behind(stage, most);
    Bests bests(m_places.size());
    for (std::size_t begin = 0; begin < all && !isOver(); ++begin) {
        const Seconds slowest = before[begin].slowest;
        if (slowest >= most)
            continue;
        std::size_t misses = 0;
        const std::size_t last = all - (m_problem.stageCount() - 1 - stage);
        for (std::size_t end = isLast ? all : begin + 1; end <= last && misses < mostMisses; ++end) {
            if (between(begin, end) > longest)
                break;
            if (slowest >= bests[end].slowest || between(end, all) > rest)
                continue;
            const std::optional<Seconds> load = m_loadOf(with(stage, begin, end), StageId(stage));
            misses = load && *load < most ? 0 : misses + 1;
            if (load && std::max(slowest, *load) < bests[end].slowest)
                bests[end] = {std::max(slowest, *load), begin};
        }
    }
    return bests;
}

Seconds ChosenCuts::behind(std::size_t stage, Seconds most) const
{
    Seconds seconds;
    for (std::size_t other = stage + 1; other < m_problem.stageCount(); ++other)
        seconds += most * m_problem.options.speeds[other];
    return seconds;
}

// The last few of all that are possible: less is left behind them.
ChosenCuts::Ends ChosenCuts::endsOf(std::size_t stage, const Ends& before, Seconds most,
                                    const IsOver& isOver) const
{
    Ends ends;
    std::size_t hint = 0;
    for (const End& begin : before) {
        if (isOver())
            return {};
        for (const std::size_t place : endsFrom(stage, begin.place, hint, most)) {
            hint = std::max(hint, place);
            const auto at = std::ranges::lower_bound(ends, place, {}, &End::place);
            if (at == ends.end() || at->place != place)
                ends.insert(at, {place, begin.place});
        }
    }
    if (ends.size() > mostEnds)
        ends.erase(ends.begin(), ends.end() - static_cast<std::ptrdiff_t>(mostEnds));
    return ends;
}

// `hint`: up to where it comes that begins before; 0: nobody knows.
std::vector<std::size_t> ChosenCuts::endsFrom(std::size_t stage, std::size_t begin, std::size_t hint,
                                              Seconds most) const
{
    const std::vector<double>& speeds = m_problem.options.speeds;
    const std::size_t all = m_places.size() - 1;
    const Seconds rest = behind(stage, most);
    std::size_t first = begin + 1, last = all - (m_problem.stageCount() - 1 - stage);
    if (stage + 1 == m_problem.stageCount())
        first = all;
    while (first <= last && between(first, all) > rest)
        ++first;
    while (first <= last && between(begin, last) > most * speeds[stage])
        --last;
    if (first > last)
        return {};
    if (hint > 0) {
        last = std::min(last, std::max(first, hint + farther));
    } else { // as if longer stages always took longer
        std::size_t low = first, high = last;
        while (low < high) {
            const std::size_t middle = (low + high + 1) / 2;
            if (isWithin(stage, begin, middle, most))
                low = middle;
            else
                high = middle - 1;
        }
        last = std::min(last, low + farther);
    }
    std::vector<std::size_t> ends;
    for (std::size_t end = last + 1; end-- > first && ends.size() < mostEnds;)
        if (isWithin(stage, begin, end, most))
            ends.push_back(end);
    return ends;
}

bool ChosenCuts::isWithin(std::size_t stage, std::size_t begin, std::size_t end, Seconds most) const
{
    const std::optional<Seconds> load = m_loadOf(with(stage, begin, end), StageId(stage));
    return load && *load <= most;
}

Seconds ChosenCuts::between(std::size_t begin, std::size_t end) const
{
    return m_seconds[end] - m_seconds[begin];
}

// The other stages are as short as can be, but those next to the ends.
Partition ChosenCuts::with(std::size_t stage, std::size_t begin, std::size_t end) const
{
    return partitionFrom([=](std::size_t other, std::size_t) {
        return other == stage ? begin : other < stage ? other : end + other - stage - 1;
    });
}

} // namespace stagecraft
