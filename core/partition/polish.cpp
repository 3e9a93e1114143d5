#include "core/partition/polish.h"

#include "core/partition/orders.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace stagecraft {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The slowest stage first, then how uneven all are.
struct Score
{
    double bottleneck = infinite;
    double squares = infinite;

    bool betterThan(const Score& other) const
    {
        const double tolerance = 1e-12 * other.bottleneck;
        if (other.bottleneck == infinite)
            return bottleneck < infinite;
        return bottleneck < other.bottleneck - tolerance ||
               (bottleneck <= other.bottleneck && squares < other.squares * (1 - 1e-9));
    }
};

Score scoreOf(const ReducedProblem& reduced, const GroupStages& stages)
{
    Score score{bottleneckOf(reduced, stages), 0};
    if (score.bottleneck == infinite)
        return score;
    const auto figures = stageFigures(reduced, stages);
    for (std::size_t stage = 0; stage < figures.size(); ++stage) {
        const double load = reduced.load(stage, figures[stage]);
        score.squares += load * load;
    }
    return score;
}

std::size_t slowestStage(const ReducedProblem& reduced, const GroupStages& stages)
{
    const auto figures = stageFigures(reduced, stages);
    std::size_t slowest = 0;
    for (std::size_t stage = 1; stage < figures.size(); ++stage) {
        if (reduced.load(stage, figures[stage]) > reduced.load(slowest, figures[slowest]))
            slowest = stage;
    }
    return slowest;
}

bool mayBeIn(const ReducedProblem& reduced, const GroupStages& stages, GroupIndex group, std::uint32_t stage)
{
    const ReducedGroup& item = reduced.groups[group];
    return stage >= item.firstStage && stage <= item.lastStage &&
           std::ranges::all_of(item.before, [&](GroupIndex before) { return stages[before] <= stage; }) &&
           std::ranges::all_of(item.after, [&](GroupIndex after) { return stages[after] >= stage; });
}

// The best single move that involves the slowest stage, done in `stages`. False if none helps.
bool improveOnce(const ReducedProblem& reduced, GroupStages& stages, Score& score,
                 const std::function<bool()>& shouldStop)
{
    const std::size_t slowest = slowestStage(reduced, stages);
    Score best = score;
    std::pair<GroupIndex, std::uint32_t> move{0, 0};
    bool found = false;
    for (GroupIndex group = 0; group < reduced.size() && !shouldStop(); ++group) {
        const std::uint32_t here = stages[group];
        const std::size_t distance = here > slowest ? here - slowest : slowest - here;
        for (const int step : {-1, 1}) {
            const std::int64_t there = static_cast<std::int64_t>(here) + step;
            if (distance > 1 || there < 0 || there >= static_cast<std::int64_t>(reduced.stageCount()))
                continue;
            const auto target = static_cast<std::uint32_t>(there);
            if ((distance == 1 && target != slowest) || !mayBeIn(reduced, stages, group, target))
                continue;
            stages[group] = target;
            const Score trial = scoreOf(reduced, stages);
            stages[group] = here;
            if (trial.betterThan(best)) {
                best = trial;
                move = {group, target};
                found = true;
            }
        }
    }
    if (found) {
        stages[move.first] = move.second;
        score = best;
    }
    return found;
}

} // namespace

Slicing polish(const ReducedProblem& reduced, Slicing plan, const std::function<bool()>& shouldStop)
{
    for (bool better = true; better && !shouldStop();) {
        better = false;
        GroupStages stages = plan.stages;
        Score score = scoreOf(reduced, stages);
        while (!shouldStop() && improveOnce(reduced, stages, score, shouldStop)) {
        }
        const double before = plan.bottleneck;
        if (score.bottleneck < plan.bottleneck)
            plan = {score.bottleneck, stages};
        const auto sliced = sliceOrder(reduced, orderOfStages(stages), plan.bottleneck);
        if (sliced && sliced->bottleneck < plan.bottleneck)
            plan = *sliced;
        better = plan.bottleneck < before * (1 - 1e-9);
    }
    return plan;
}

} // namespace stagecraft
