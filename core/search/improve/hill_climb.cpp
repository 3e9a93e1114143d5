#include "core/search/improve/hill_climb.h"

#include "core/search/improve/orders.h"
#include "core/search/reduce/loads.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// The slowest stage first, then how uneven all are.
struct Score
{
    double bottleneckSeconds = infinite;
    double squares = infinite;

    bool betterThan(const Score& other) const
    {
        const double tolerance = 1e-12 * other.bottleneckSeconds;
        if (other.bottleneckSeconds == infinite)
            return bottleneckSeconds < infinite;
        return bottleneckSeconds < other.bottleneckSeconds - tolerance ||
               (bottleneckSeconds <= other.bottleneckSeconds && squares < other.squares * (1 - 1e-9));
    }
};

Score scoreOf(const ReducedProblem& reduced, const Loads& loads)
{
    Score score{0, 0};
    for (std::size_t stage = 0; stage < reduced.stageCount(); ++stage) {
        if (loads.excess(stage) > 0 || (loads.groupCount(stage) == 0 && !reduced.allowsEmpty()))
            return {};
        const double load = loads.load(stage);
        score.bottleneckSeconds = std::max(score.bottleneckSeconds, load);
        score.squares += load * load;
    }
    return score;
}

std::size_t slowestStage(const ReducedProblem& reduced, const Loads& loads)
{
    std::size_t slowest = 0;
    for (std::size_t stage = 1; stage < reduced.stageCount(); ++stage) {
        if (loads.load(stage) > loads.load(slowest))
            slowest = stage;
    }
    return slowest;
}

// The best single move that involves the slowest stage. False if none helps.
bool improveOnce(const ReducedProblem& reduced, Loads& loads, Score& score)
{
    const std::size_t slowest = slowestStage(reduced, loads);
    Score best = score;
    std::pair<ReducedGroupId, std::uint32_t> move{ReducedGroupId(0), 0};
    bool found = false;
    for (const ReducedGroupId group : reduced.groups.ids()) {
        if (group.index() % 1024 == 1023 && reduced.over())
            return false;
        const std::uint32_t here = loads.stages()[group];
        const std::size_t distance = here > slowest ? here - slowest : slowest - here;
        for (const int step : {-1, 1}) {
            const std::int64_t there = static_cast<std::int64_t>(here) + step;
            if (distance > 1 || there < 0 || there >= static_cast<std::int64_t>(reduced.stageCount()))
                continue;
            const auto target = static_cast<std::uint32_t>(there);
            if ((distance == 1 && target != slowest) || !loads.mayMove(group, target))
                continue;
            loads.move(group, target);
            const Score trial = scoreOf(reduced, loads);
            loads.move(group, here);
            if (trial.betterThan(best)) {
                best = trial;
                move = {group, target};
                found = true;
            }
        }
    }
    if (found) {
        loads.move(move.first, move.second);
        score = best;
    }
    return found;
}

} // namespace

Slicing hillClimb(const ReducedProblem& reduced, Slicing plan, const ShouldStop& shouldStop)
{
    const auto stop = [&](std::uint64_t work) { return shouldStop && shouldStop(work); };
    const std::uint64_t workOfMove = reduced.size() * 200;
    for (bool better = true; better && !stop(workOfSlicing(reduced));) {
        better = false;
        Loads loads(reduced, plan.stages);
        Score score = scoreOf(reduced, loads);
        while (!stop(workOfMove) && improveOnce(reduced, loads, score)) {
        }
        const double before = plan.bottleneckSeconds;
        const double reached = bottleneckOf(reduced, loads.stages()); // without what rounding added up to
        if (reached < plan.bottleneckSeconds)
            plan = {reached, loads.stages()};
        const auto sliced = sliceOrder(reduced, orderOfStages(loads.stages()), plan.bottleneckSeconds);
        if (sliced && sliced->bottleneckSeconds < plan.bottleneckSeconds)
            plan = *sliced;
        better = plan.bottleneckSeconds < before * (1 - 1e-9);
    }
    return plan;
}

} // namespace stagecraft
