#include "core/advise/resolve.h"

#include "core/advise/infeasible.h"
#include "core/base/work_budget.h"
#include "core/plan/evaluate.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/improve/even_split.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

void pin(PartitionProblem& problem, NodeId node, StageId stage)
{
    const Pin wanted{node, stage};
    if (std::ranges::find(problem.options.pins, wanted) == problem.options.pins.end())
        problem.options.pins.push_back(wanted);
}

// A node that costs nothing and stays in `stage`: an anchor for what must stay on one side of a boundary.
NodeId addAnchor(PartitionProblem& problem, StageId stage)
{
    const NodeId anchor = problem.nodes.add({.name = "anchor"});
    pin(problem, anchor, stage);
    return anchor;
}

std::set<std::size_t> keptBoundaries(const Partition& current, const KeptParts& kept)
{
    std::set<std::size_t> boundaries;
    for (const BoundaryId boundary : kept.boundaries)
        boundaries.insert(boundary.index());
    for (const StageId stage : kept.stages) {
        boundaries.insert(stage.index());
        if (stage.index() > 0)
            boundaries.insert(stage.index() - 1);
    }
    boundaries.erase(boundaries.lower_bound(current.stageCount - 1), boundaries.end());
    return boundaries;
}

// A node need only be told of the nearest boundary on each side: the anchors of the others are further off.
PartitionProblem anchored(PartitionProblem problem, const Partition& current, const KeptParts& kept)
{
    for (const NodeId node : kept.nodes)
        pin(problem, node, current.stageOf[node]);
    std::vector<std::optional<NodeId>> lastBefore(current.stageCount);
    std::vector<std::optional<NodeId>> firstBehind(current.stageCount);
    const std::set<std::size_t> boundaries = keptBoundaries(current, kept);
    for (const std::size_t boundary : boundaries) {
        lastBefore[boundary] = addAnchor(problem, StageId(boundary));
        firstBehind[boundary + 1] = addAnchor(problem, StageId(boundary + 1));
    }
    if (boundaries.empty())
        return problem;
    for (const NodeId node : current.stageOf.ids()) {
        const std::size_t stage = current.stageOf[node].index();
        const auto next = boundaries.lower_bound(stage);
        if (next != boundaries.end())
            problem.precedences.push_back({node, *lastBefore[*next]});
        if (next != boundaries.begin())
            problem.precedences.push_back({*firstBehind[*std::prev(next) + 1], node});
    }
    return problem;
}

Partition withoutAnchors(const Partition& plan, std::size_t nodeCount)
{
    Partition partition = singleStage(nodeCount);
    partition.stageCount = plan.stageCount;
    for (const NodeId node : partition.stageOf.ids())
        partition.stageOf[node] = plan.stageOf[node];
    return partition;
}

// The search found no plan, but there is one: the answer, with the bound that needs no search.
Result<Solution> asItIs(const PartitionProblem& constrained, const PartitionProblem& problem,
                        const Partition& current, const PlanCost& cost, const Progress& progress)
{
    Solution solution{.partition = current, .cost = cost, .cutShort = true};
    STAGECRAFT_ASSIGN(bound, planBound(constrained, cost, progress));
    solution.bound = std::move(bound);
    return withStepBound(problem, std::move(solution), overOf(progress, Seconds(0.2)));
}

} // namespace

Result<Solution> resolveAround(const PartitionProblem& problem, const Partition& current,
                               const KeptParts& kept, const Progress& progress)
{
    STAGECRAFT_TRY(checkProblem(problem));
    STAGECRAFT_TRY(checkPartition(problem, current));
    const PartitionProblem constrained = anchored(problem, current, kept);
    const PlanCost costNow = evaluate(problem, current);
    Result<Solution> solved = solveOrExplain(constrained, progress);
    if (!solved.has_value() && solved.error().code == ErrorCode::Infeasible && costNow.fits())
        return asItIs(constrained, problem, current, costNow, progress);
    if (!solved.has_value())
        return solved.error();
    Solution found = *std::move(solved);
    Solution solution{.partition = current,
                      .cost = costNow,
                      .bound = found.bound,
                      .iterationBound = found.iterationBound,
                      .solveTime = found.solveTime,
                      .cutShort = found.cutShort};
    Partition partition = withoutAnchors(found.partition, problem.nodes.size());
    if (!checkPartition(problem, partition).has_value())
        return solution;
    PlanCost cost = evaluate(problem, partition);
    const ScorePlan score = goalScore(problem);
    if (score(cost) < score(solution.cost)) {
        solution.partition = std::move(partition);
        solution.cost = std::move(cost);
    }
    return solution;
}

} // namespace stagecraft
