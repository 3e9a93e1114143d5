#include "core/search/ideals/ideal_fronts.h"

#include "core/search/ideals/lattice_path.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// The most that can be done by a boundary, one way to get there.
struct Reached
{
    double time = 0;
    double bytes = 0;
    std::uint32_t fromIdeal = 0; // of the boundary before
    std::uint32_t fromIndex = 0; // among those there
};

// A begin of the next stage.
struct Begin
{
    double time = 0; // less what its transfers take from the stage
    double bytes = 0;
    std::uint32_t ideal = 0;
    std::uint32_t index = 0; // among the ways to reach it
};

// None of them is as good as another in both; by time, descending.
using Front = std::vector<Begin>;

void merge(Front& front, const Front& more, Front& scratch)
{
    scratch.clear();
    double mostBytes = -infinite;
    auto a = front.begin();
    auto b = more.begin();
    while (a != front.end() || b != more.end()) {
        const bool takeA =
            b == more.end() ||
            (a != front.end() && (a->time > b->time || (a->time == b->time && a->bytes >= b->bytes)));
        const Begin& next = takeA ? *a++ : *b++;
        if (next.bytes > mostBytes) {
            scratch.push_back(next);
            mostBytes = next.bytes;
        }
    }
    front.swap(scratch);
}

struct FrontLayer
{
    std::vector<std::vector<Reached>> reached; // of each ideal; empty: not
    // Begins within each ideal but not itself, and itself.
    std::vector<Front> within;
    std::vector<Front> itself;
};

class FrontSearch
{
public:
    FrontSearch(const ReducedProblem& reduced, const StageWindows& windows,
                const std::vector<const IdealLattice*>& lattices, double limit,
                const IdealSearchLimits& limits)
        : m_reduced(reduced),
          m_windows(windows),
          m_lattices(lattices),
          m_limit(limit),
          m_limits(limits),
          m_layers(lattices.size()),
          m_exact(std::ranges::all_of(lattices, [](const auto* lattice) { return lattice->isExact(); })),
          m_mayBeEmpty(reduced.mayLeaveEmpty())
    {
        const std::size_t fewest = std::ranges::min(reduced.inFlight);
        for (const std::size_t inFlight : reduced.inFlight)
            m_inFlight.push_back(m_exact ? inFlight : fewest);
        for (const ReducedGroup& group : reduced.groups)
            m_held += group.held;
        m_roomBehind.resize(lattices.size());
        Room room;
        for (std::size_t b = lattices.size(); b-- > 0;) {
            room.time += windows.capacity[b + 1];
            room.bytes += bytesLimit(b + 1);
            m_roomBehind[b] = room;
        }
    }

    SplitAnswer run()
    {
        for (std::size_t b = 0; b < m_lattices.size(); ++b) {
            const bool any = reach(b);
            if (m_endsEarly || m_stopped)
                return {};
            if (!any)
                return {SplitAnswer::Verdict::Refuted, {}};
            spread(b);
            if (m_stopped)
                return {};
            if (b > 0) // only how they were reached is needed any more
                m_layers[b - 1].within = m_layers[b - 1].itself = {};
        }
        return last();
    }

private:
    double speed(std::size_t stage) const { return m_reduced.options.speeds[stage]; }
    bool countsTransfers() const { return m_reduced.options.objective == Objective::Sum; }
    double bytesLimit(std::size_t stage) const { return m_reduced.options.memoryLimits[stage].asDouble(); }
    double tolerance() const { return 1e-12 * m_reduced.totalSeconds; }
    double bytesTolerance() const { return 0.5 + 1e-15 * m_held.of(1).asDouble(); }

    bool stop(std::size_t work)
    {
        m_work += work;
        constexpr std::size_t interval = 1'000'000;
        if (m_work >= interval && m_limits.shouldStop && m_limits.shouldStop(std::exchange(m_work, 0)))
            m_stopped = true;
        return m_stopped;
    }

    // False: nothing is.
    bool reach(std::size_t b)
    {
        const IdealLattice& lattice = *m_lattices[b];
        FrontLayer& layer = m_layers[b];
        layer.reached.resize(lattice.size());
        std::optional<IdealLattice::Projector> projector;
        if (b > 0)
            projector.emplace(*m_lattices[b - 1], lattice);
        bool any = false;
        for (std::uint32_t ideal = 0; ideal < lattice.size() && !stop(100); ++ideal) {
            if (b > 0) {
                const auto [before, whole] = projector->project(ideal);
                reachWithin(b, ideal, before, whole);
            } else if (!lattice.isEmpty(ideal)) {
                reachFrom(b, ideal, {});
            } else if (m_mayBeEmpty) {
                layer.reached[ideal].push_back({});
            }
            any = any || !layer.reached[ideal].empty();
        }
        return any;
    }

    void reachWithin(std::size_t b, std::uint32_t ideal, std::uint32_t before, bool whole)
    {
        const FrontLayer& layer = m_layers[b - 1];
        if (whole && m_mayBeEmpty && !layer.reached[before].empty()) {
            const Reached& same = layer.reached[before].front();
            m_layers[b].reached[ideal].push_back({same.time, bytesBefore(b, ideal), before, 0});
            return;
        }
        reachFrom(b, ideal, layer.within[before]);
        if (!whole)
            reachFrom(b, ideal, layer.itself[before]);
    }

    double bytesBefore(std::size_t b, std::uint32_t ideal) const
    {
        return m_lattices[b]->leastBytes(ideal, m_inFlight[b + 1]);
    }

    // The first stage begins with nothing done.
    void reachFrom(std::size_t b, std::uint32_t ideal, const Front& begins)
    {
        if (b == 0) {
            arrive(b, ideal, Begin{});
            return;
        }
        for (const Begin& begin : begins) {
            if (m_exact && !m_layers[b].reached[ideal].empty())
                return; // all ways to get there are alike
            arrive(b, ideal, begin);
        }
        stop(begins.size() * 5);
    }

    void arrive(std::size_t b, std::uint32_t ideal, const Begin& begin)
    {
        const IdealLattice& lattice = *m_lattices[b];
        const double cut = lattice.cut(ideal);
        const double uncut = begin.time + m_limit * speed(b);
        const double bytes = begin.bytes + bytesLimit(b);
        if (!m_exact && m_mayBeEmpty && canEnd(b, uncut, bytes))
            m_endsEarly = true; // perhaps all later stages are empty
        if (m_reduced.options.objective == Objective::Overlap && cut > m_limit)
            return;
        const double time = countsTransfers() ? lattice.timeWithin(ideal, uncut) : uncut;
        if (time < lattice.leastTime(ideal) - tolerance() ||
            (countsTransfers() && uncut < lattice.endTime(ideal) - tolerance()) ||
            bytes < lattice.leastBytes(ideal, m_inFlight[b]) - bytesTolerance())
            return;
        const Reached reached{std::clamp(time, lattice.leastTime(ideal), lattice.mostTime(ideal)),
                              m_exact ? bytesBefore(b, ideal)
                                      : std::min(bytes, lattice.mostBytes(ideal, m_inFlight[b])),
                              begin.ideal, begin.index};
        if (!canBeEnded(b, reached))
            return;
        auto& all = m_layers[b].reached[ideal];
        const auto isWorse = [](const Reached& a, const Reached& than) {
            return a.time <= than.time && a.bytes <= than.bytes;
        };
        if (std::ranges::any_of(all, [&](const Reached& other) { return isWorse(reached, other); }))
            return;
        std::erase_if(all, [&](const Reached& other) { return isWorse(other, reached); });
        all.push_back(reached);
    }

    // Have the stages behind boundary b room for the rest?
    bool canBeEnded(std::size_t b, const Reached& reached) const
    {
        const Room& room = m_roomBehind[b];
        return reached.time + room.time >= m_reduced.totalSeconds * (1 - 1e-9) &&
               (m_held.perMicrobatch() > Bytes{} ||
                reached.bytes + room.bytes >= m_held.always().asDouble() - bytesTolerance());
    }

    bool canEnd(std::size_t stage, double time, double bytes) const
    {
        return time >= m_reduced.totalSeconds - tolerance() &&
               bytes >= m_held.of(m_inFlight[stage]).asDouble() - bytesTolerance();
    }

    // Can a stage that begins so hold what is between there and the ideal? Where groups float at the next
    // boundary, ends need not hold all of it.
    bool isOfUse(std::size_t b, std::uint32_t ideal, const Begin& begin) const
    {
        const IdealLattice& lattice = *m_lattices[b];
        if (b + 1 < m_lattices.size() && !m_lattices[b + 1]->isExact())
            return true;
        return begin.time + m_limit * speed(b + 1) >= lattice.leastTime(ideal) - tolerance() &&
               begin.bytes + bytesLimit(b + 1) >=
                   lattice.leastBytes(ideal, m_inFlight[b + 1]) - bytesTolerance();
    }

    void spread(std::size_t b)
    {
        const IdealLattice& lattice = *m_lattices[b];
        FrontLayer& layer = m_layers[b];
        layer.within.resize(lattice.size());
        layer.itself.resize(lattice.size());
        Front scratch;
        const bool overlaps = m_reduced.options.objective == Objective::Overlap;
        for (std::uint32_t ideal = 0; ideal < lattice.size(); ++ideal) {
            if (overlaps && lattice.cut(ideal) > m_limit)
                continue; // it ends no stage, for the one before is empty, and is too dear a begin
            for (std::uint32_t i = 0; i < layer.reached[ideal].size(); ++i) {
                const Reached& reached = layer.reached[ideal][i];
                const double time = countsTransfers() ? lattice.beginTime(ideal, reached.time) : reached.time;
                merge(layer.itself[ideal], {Begin{time, reached.bytes, ideal, i}}, scratch);
            }
        }
        std::uint32_t last = 0;
        Front all;
        bool isFirst = true;
        for (const auto& [from, to] : lattice.steps()) {
            if (isFirst || from != last) {
                all = layer.within[from];
                merge(all, layer.itself[from], scratch);
                last = from;
                isFirst = false;
            }
            Front useful;
            for (const Begin& begin : all) {
                if (isOfUse(b, to, begin))
                    useful.push_back(begin);
            }
            if (!useful.empty())
                merge(layer.within[to], useful, scratch);
            if (stop(20 + (all.size() + layer.within[to].size()) * 5))
                return;
        }
    }

    // The last stage ends with everything.
    SplitAnswer last()
    {
        const std::size_t b = m_layers.size() - 1;
        const FrontLayer& layer = m_layers[b];
        const auto top = static_cast<std::uint32_t>(m_lattices[b]->size() - 1);
        const bool whole =
            m_lattices[b]->isExact() &&
            std::ranges::none_of(m_windows.earliest, [&](std::uint32_t stage) { return stage > b; });
        if (whole && m_mayBeEmpty && !layer.reached[top].empty())
            return trace(top, 0);
        for (const Front* begins : {&layer.within[top], &layer.itself[top]}) {
            if (whole && begins == &layer.itself[top])
                continue;
            for (const Begin& begin : *begins) {
                if (canEnd(b + 1, begin.time + m_limit * speed(b + 1), begin.bytes + bytesLimit(b + 1)))
                    return trace(begin.ideal, begin.index);
            }
        }
        return {SplitAnswer::Verdict::Refuted, {}};
    }

    SplitAnswer trace(std::uint32_t ideal, std::uint32_t index) const
    {
        std::vector<LatticePoint> path(m_layers.size());
        for (std::size_t b = m_layers.size(); b-- > 0;) {
            const Reached& reached = m_layers[b].reached[ideal][index];
            path[b] = {m_lattices[b], ideal, reached.time};
            ideal = reached.fromIdeal;
            index = reached.fromIndex;
        }
        return answerAlong(m_reduced, path, m_limit);
    }

    const ReducedProblem& m_reduced;
    const StageWindows& m_windows;
    const std::vector<const IdealLattice*>& m_lattices;
    double m_limit;
    const IdealSearchLimits& m_limits;
    std::vector<FrontLayer> m_layers;
    bool m_exact;
    bool m_mayBeEmpty;
    std::vector<std::size_t> m_inFlight; // microbatches that each stage holds what is saved of
    HeldBytes m_held;                    // by all groups
    struct Room
    {
        double time = 0;
        double bytes = 0;
    };
    std::vector<Room> m_roomBehind; // each boundary, in all stages together
    std::size_t m_work = 0;         // since it was last reported
    bool m_stopped = false;
    bool m_endsEarly = false;
};

} // namespace

SplitAnswer findSplitByFronts(const ReducedProblem& reduced, const StageWindows& windows,
                              const std::vector<const IdealLattice*>& lattices, double limit,
                              const IdealSearchLimits& limits)
{
    return FrontSearch(reduced, windows, lattices, limit, limits).run();
}

} // namespace stagecraft
