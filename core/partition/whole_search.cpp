#include "core/partition/whole_search.h"

#include "core/partition/device_bound.h"
#include "core/partition/evaluate.h"
#include "core/partition/infeasible.h"
#include "core/partition/order_dp.h"
#include "core/partition/orders.h"
#include "core/partition/refine.h"
#include "core/partition/search.h"

#include <algorithm>
#include <chrono>

namespace stagecraft {

namespace {

using Clock = std::chrono::steady_clock;

GroupStages groupStages(const ReducedProblem& reduced, const Partition& partition)
{
    GroupStages stages;
    for (const ReducedGroup& group : reduced.groups)
        stages.push_back(partition.stageOf[group.nodes.front()].index());
    return stages;
}

// The question as it is, and asked so that transfers count for more or for nothing: where stages add up, what
// is sent counts at every stage, not at the slowest alone.
std::vector<PartitionProblem> variations(const PartitionProblem& problem)
{
    std::vector<PartitionProblem> found(3, problem);
    for (Link& link : found[1].options.links) {
        link.bandwidth /= 3;
        link.latency = link.latency * 3;
    }
    found[2].options.objective = Objective::Compute;
    for (PartitionProblem& variation : found)
        variation.options.timeLimit = problem.options.timeLimit / 6;
    return found;
}

// The plan itself, and some that are more even but not quite as good at their slowest stage.
std::vector<Partition> beginnings(const PartitionProblem& problem, const Partition& plan, Seconds bottleneck)
{
    std::vector<Partition> found{plan};
    const auto reduced = reduceProblem(problem);
    if (!reduced.has_value())
        return found;
    const GroupOrder order = orderOfStages(groupStages(*reduced, plan));
    for (const double allowance : {1.01, 1.03, 1.1}) {
        const auto even = sliceEvenly(*reduced, order, bottleneck.value() * allowance);
        if (!even)
            continue;
        Partition partition = expand(*reduced, even->stages);
        if (checkPartition(problem, partition).has_value() &&
            std::ranges::find(found, partition) == found.end())
            found.push_back(std::move(partition));
    }
    return found;
}

Seconds slowestStage(const PlanCost& cost)
{
    Seconds slowest;
    for (const StageCost& stage : cost.stages)
        slowest = std::max(slowest, stage.load);
    return slowest;
}

// The best plan found, whether or not its devices keep their limits.
Result<Solution> searchWhole(const PartitionProblem& problem, const Progress& progress)
{
    const auto begin = Clock::now();
    const auto elapsed = [&] { return Seconds(std::chrono::duration<double>(Clock::now() - begin).count()); };
    const auto shouldStop = [&] {
        return progress.stopRequested() || elapsed() >= problem.options.timeLimit;
    };
    const bool wantsStep = problem.options.objective == Objective::Iteration;
    const ScorePlan score = wantsStep ? iterationScore : bottleneckScore;
    std::optional<Solution> best;
    for (const PartitionProblem& variation : variations(problem)) {
        auto byStage = solveByStage(variation, progress);
        if (!byStage.has_value() && !best)
            return byStage.error();
        if (!byStage.has_value() || (best && shouldStop()))
            break;
        byStage->cost = evaluate(problem, byStage->partition);
        if (!best)
            best = *byStage;
        for (const Partition& start : beginnings(problem, byStage->partition, slowestStage(byStage->cost))) {
            RefinedPlan refined = refine(problem, start, bottleneckScore, shouldStop);
            if (wantsStep)
                refined = refine(problem, std::move(refined.partition), score, shouldStop);
            if (score(refined.cost) >= score(best->cost))
                continue;
            best->partition = std::move(refined.partition);
            best->cost = std::move(refined.cost);
        }
    }
    Solution& solution = *best;
    if (problem.options.sharesDevices()) {
        STAGECRAFT_ASSIGN(reduced, reduceProblem(problem));
        solution.bound = deviceBound(reduced, solution.cost.devices.size(),
                                     solution.cost.bottleneckTime.value(), shouldStop);
    }
    solution.solveTime = elapsed();
    return solution;
}

// Stages that fit each alone do not fit together: says on which device, and what limit, tried here, would do.
Error explainDevices(const PartitionProblem& problem, const PlanCost& cost, const Progress& progress)
{
    const auto over = [](const DeviceCost& device) { return device.peakMemory - device.memoryLimit; };
    const auto fullest = std::ranges::max_element(cost.devices, {}, over);
    std::string message = "no plan was found whose stages fit their devices together; device " +
                          std::to_string(fullest - cost.devices.begin() + 1) + " would need " +
                          formatBytes(fullest->peakMemory) + " where " + formatBytes(fullest->memoryLimit) +
                          " are allowed";
    PartitionProblem raised = problem;
    raised.options.timeLimit = std::min(problem.options.timeLimit, Seconds(1));
    for (const double factor : {1.0, 1.1, 1.25, 1.5, 2.0}) {
        const auto need = static_cast<std::int64_t>(fullest->peakMemory.asDouble() * factor);
        const Bytes limit = printedLimit(Bytes(need));
        raised.options.memoryLimits.assign(problem.stageCount(), limit);
        const auto solution = searchWhole(raised, progress);
        if (solution.has_value() && solution->cost.fits())
            return {ErrorCode::Infeasible, message + "; a limit of " + formatBytes(limit) + " would do"};
    }
    return {ErrorCode::Infeasible, message};
}

} // namespace

Result<Solution> solveWhole(const PartitionProblem& problem, const Progress& progress)
{
    STAGECRAFT_ASSIGN(solution, searchWhole(problem, progress));
    if (!solution.cost.fits())
        return explainDevices(problem, solution.cost, progress);
    return solution;
}

} // namespace stagecraft
