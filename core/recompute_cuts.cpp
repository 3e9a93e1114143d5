#include "core/recompute_cuts.h"

#include "core/cut_stretches.h"

#include <algorithm>
#include <span>
#include <utility>

namespace stagecraft {

namespace {

constexpr double nearlyAsLong = 2e-3;

// Of each place, where a stage ends there: the slowest up to there at the best, and where it begins.
struct StageEnds
{
    std::vector<double> slowest;
    std::vector<std::size_t> begins;

    explicit StageEnds(std::size_t places) : slowest(places, infinite), begins(places, 0) {}
    void take(const StageSlice& slice, double slowness)
    {
        if (slowness >= slowest[slice.end])
            return;
        slowest[slice.end] = slowness;
        begins[slice.end] = slice.begin;
    }
};

// All stages that begin at a place.
struct StageBegin
{
    std::size_t stage;
    std::size_t place;
    double limit;   // bytes
    double slowest; // of those in front of it
    double most;    // that a stage takes
};

} // namespace

class RecomputedCuts::Slicer
{
public:
    Slicer(const RecomputeChooser& chooser, CutOrder order)
        : m_problem(chooser.ground().none), m_stretches(chooser, std::move(order))
    {
    }

    const CutStretches& stretches() const { return m_stretches; }

    std::optional<Partition> slice(const Asked& asked, const SeenStages& seen, const IsOver& isOver) const
    {
        const std::size_t stages = m_problem.stageCount(), count = places();
        if (count < stages + 1)
            return std::nullopt;
        std::vector<StageEnds> ends;
        std::vector<double> slowest(count, infinite);
        slowest[0] = 0;
        for (std::size_t stage = 0; stage < stages; ++stage) {
            StageEnds& of = ends.emplace_back(count);
            for (std::size_t i = stage; i + 1 < count; ++i) {
                if (slowest[i] >= asked.most.value())
                    continue;
                if (isOver && isOver())
                    return std::nullopt;
                extend({stage, i, asked.rooms[stage].asDouble(), slowest[i], asked.most.value()}, seen,
                       waysOf(asked.ways), of);
            }
            slowest = of.slowest;
        }
        return slowest.back() < asked.most.value() ? std::optional(partitionOf(ends)) : std::nullopt;
    }

    // The least that a stage is estimated to hold which takes no longer; none: none does.
    std::optional<Bytes> leastHeld(const StageSlice& slice, Seconds compute, Ways ways) const
    {
        const double longest = compute.value() * m_problem.options.speeds[slice.stage] * (1 + nearlyAsLong);
        double least = infinite;
        for (const CutStretches::Way& way : waysOf(ways))
            for (const CutStretches::Sums& atPrice : way)
                if (const CutStretches::Taken sum = atPrice.between(slice.begin, slice.end);
                    sum.seconds <= longest)
                    least = std::min(least, sum.transient + m_stretches.inFlight(slice.stage) * sum.saved);
        if (least == infinite)
            return std::nullopt;
        const double always = m_stretches.alwaysHeld(slice) + m_stretches.sent(slice.stage, slice.end);
        return Bytes(static_cast<std::int64_t>(always + least));
    }

private:
    using AllWays = std::span<const CutStretches::Way>;
    using AllForeseen = std::vector<std::optional<SeenStages::Foreseen>>; // by end, of those asked for

    std::size_t places() const { return m_stretches.places().size(); }
    AllWays waysOf(Ways ways) const
    {
        const AllWays all = m_stretches.ways();
        return ways == Ways::Any ? all : all.first(1);
    }

    void extend(const StageBegin& begin, const SeenStages& seen, AllWays ways, StageEnds& ends) const
    {
        AllForeseen foreseen(places());
        for (const CutStretches::Way& way : ways)
            extend(begin, way, seen, foreseen, ends);
    }

    // Some of a stage's blocks choose as at the lowest price at which it keeps its limit, the others as at
    // the one below.
    void extend(const StageBegin& begin, const CutStretches::Way& way, const SeenStages& seen,
                AllForeseen& allForeseen, StageEnds& ends) const
    {
        std::size_t least = 0; // price: what a stage holds to its last place only grows with the stage
        double state = m_stretches.received(begin.stage, begin.place);
        const std::size_t stagesLeft = m_problem.stageCount() - begin.stage - 1;
        for (StageSlice slice{begin.stage, begin.place, begin.place + 1}; slice.end + stagesLeft < places();
             ++slice.end) {
            state += m_stretches.stateOf(begin.stage, begin.place, slice.end - 1);
            const auto held = [&](std::size_t price) {
                const CutStretches::Taken sum = way[price].between(slice.begin, slice.end);
                return state + m_stretches.inFlight(begin.stage) * sum.saved + sum.transient;
            };
            while (held(least) > begin.limit)
                if (++least == way.size())
                    return;
            if (m_stretches.computeOf(slice, way[least].between(slice.begin, slice.end).seconds) >=
                Seconds(begin.most))
                return;
            if ((stagesLeft == 0 && slice.end + 1 != places()) || begin.slowest >= ends.slowest[slice.end])
                continue;
            if (!allForeseen[slice.end])
                allForeseen[slice.end] = seen.foresee(slice);
            const SeenStages::Foreseen& foreseen = *allForeseen[slice.end];
            if (foreseen.load) {
                ends.take(slice, std::max(begin.slowest, foreseen.load->value()));
                continue;
            }
            const double room =
                begin.limit - m_stretches.sent(begin.stage, slice.end) - foreseen.more.asDouble();
            std::size_t price = least;
            while (price < way.size() && held(price) > room)
                ++price;
            if (price == way.size())
                continue;
            double seconds = way[price].between(slice.begin, slice.end).seconds;
            if (price > 0 && held(price - 1) > room) {
                const double less = way[price - 1].between(slice.begin, slice.end).seconds;
                seconds =
                    less + (held(price - 1) - room) / (held(price - 1) - held(price)) * (seconds - less);
            }
            const double load = m_stretches.loadOf(slice, seconds).value();
            ends.take(slice, std::max({begin.slowest, load, foreseen.least.value()}));
        }
    }

    Partition partitionOf(const std::vector<StageEnds>& ends) const
    {
        std::vector<std::size_t> at(ends.size(), places() - 1);
        for (std::size_t stage = ends.size(); stage-- > 1;)
            at[stage - 1] = ends[stage].begins[at[stage]];
        return m_stretches.partitionAt(at);
    }

    const PartitionProblem& m_problem;
    CutStretches m_stretches;
};

RecomputedCuts::RecomputedCuts(const RecomputeChooser& chooser, CutOrder order)
    : m_slicer(std::make_unique<const Slicer>(chooser, std::move(order)))
{
}

RecomputedCuts::~RecomputedCuts() = default;

const std::vector<std::size_t>& RecomputedCuts::places() const
{
    return m_slicer->stretches().places();
}

std::vector<std::optional<StageSlice>> RecomputedCuts::slicesOf(const Partition& partition) const
{
    return m_slicer->stretches().slicesOf(partition);
}

std::optional<Partition> RecomputedCuts::within(const Asked& asked, const SeenStages& seen,
                                                const IsOver& isOver) const
{
    return m_slicer->slice(asked, seen, isOver);
}

std::optional<Bytes> RecomputedCuts::more(const StageSlice& slice, const Known& known, Ways ways) const
{
    const std::optional<Bytes> held = m_slicer->leastHeld(slice, known.compute, ways);
    return held ? std::optional(known.memory - *held) : std::nullopt;
}

std::vector<RecomputedCuts::Known> knownOf(const RecomputeChooser::Choice& choice)
{
    std::vector<RecomputedCuts::Known> known;
    for (const StageId stage : choice.without.stages.ids())
        known.push_back({choice.without.stages[stage].compute() + choice.added[stage.index()],
                         choice.memory[stage.index()]});
    return known;
}

std::vector<RecomputedCuts::Known> knownOf(const PlanCost& cost)
{
    std::vector<RecomputedCuts::Known> known;
    for (const StageCost& stage : cost.stages)
        known.push_back({stage.compute(), stage.peakMemory});
    return known;
}

} // namespace stagecraft
