#include "core/search/improve/even_split.h"

#include "core/base/work_budget.h"
#include "core/plan/evaluate.h"
#include "core/search/improve/orders.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

// The stage of each of these parts of a program, which follow each other; none: they are too few.
std::optional<std::vector<std::uint32_t>> cutEvenly(const std::vector<double>& times, std::size_t stages)
{
    if (times.size() < stages)
        return std::nullopt;
    std::vector<double> passed{0}; // before each place
    for (const double time : times)
        passed.push_back(passed.back() + time);
    std::vector<std::uint32_t> stageOf(times.size(), 0);
    std::size_t last = 0;
    for (std::size_t stage = 1; stage < stages; ++stage) {
        const double wanted = passed.back() * static_cast<double>(stage) / static_cast<double>(stages);
        const auto distance = [&](std::size_t place) { return std::abs(passed[place] - wanted); };
        std::size_t cut = last + 1; // no stage is left empty
        for (std::size_t place = cut; place + (stages - stage) <= times.size(); ++place) {
            if (distance(place) < distance(cut))
                cut = place;
        }
        std::fill(stageOf.begin() + static_cast<std::ptrdiff_t>(cut), stageOf.end(),
                  static_cast<std::uint32_t>(stage));
        last = cut;
    }
    return stageOf;
}

// The very order of the program, cut where no group is cut in two.
std::optional<Partition> cutProgram(const PartitionProblem& problem)
{
    const std::size_t count = problem.nodes.size();
    std::vector<std::size_t> lastOf(count); // of the groups that a node begins, the furthest node
    for (std::size_t node = 0; node < count; ++node)
        lastOf[node] = node;
    for (const Colocation& group : problem.groups) {
        if (group.nodes.empty())
            continue;
        const auto [first, last] = std::ranges::minmax(group.nodes);
        lastOf[first.index()] = std::max<std::size_t>(lastOf[first.index()], last.index());
    }
    std::vector<double> times;
    std::vector<std::size_t> partOf(count);
    std::size_t end = 0;
    for (std::size_t node = 0; node < count; ++node) {
        if (node >= end)
            times.push_back(0);
        end = std::max(end, lastOf[node] + 1);
        partOf[node] = times.size() - 1;
        times.back() += problem.nodes[NodeId(node)].time().value();
    }
    const auto stages = cutEvenly(times, problem.stageCount());
    if (!stages)
        return std::nullopt;
    Partition partition = singleStage(count);
    partition.stageCount = problem.stageCount();
    for (std::size_t node = 0; node < count; ++node)
        partition.stageOf[NodeId(node)] = StageId((*stages)[partOf[node]]);
    return partition;
}

// Whole groups, in an order near to that of the program.
std::optional<Partition> cutGroups(const PartitionProblem& problem, const IsOver& isOver)
{
    const auto reduced = reduceProblem(problem, Joining::None, isOver);
    if (!reduced.has_value() || reduced->over())
        return std::nullopt;
    const GroupOrder order = makeOrder(*reduced, OrderRule::Program, OrderDirection::Forward);
    std::vector<double> times;
    for (const ReducedGroupId group : order)
        times.push_back(reduced->groups[group].seconds);
    const auto stages = cutEvenly(times, problem.stageCount());
    if (!stages)
        return std::nullopt;
    GroupStages stageOf(reduced->size());
    for (std::size_t place = 0; place < order.size(); ++place)
        stageOf[order[place]] = (*stages)[place];
    return expand(*reduced, stageOf);
}

// The slowest device, of plans whose step takes at most so long.
ScorePlan slowestWithin(Seconds step)
{
    return [most = step.value()](const PlanCost& plan) {
        const auto [over, taken, slowest] = iterationScore(plan);
        return PlanScore{over, std::max(taken, most), slowest};
    };
}

} // namespace

std::optional<Partition> evenSplit(const PartitionProblem& problem, const IsOver& isOver)
{
    std::optional<Partition> plan = cutProgram(problem);
    if (!plan || !checkPartition(problem, *plan).has_value())
        plan = cutGroups(problem, isOver);
    return plan && checkPartition(problem, *plan).has_value() ? plan : std::nullopt;
}

ScorePlan goalScore(const PartitionProblem& problem)
{
    if (problem.options.objective != Objective::Iteration && problem.limitsStep()) {
        if (const auto even = evenSplit(problem)) {
            const PlanCost cost = evaluate(problem, *even);
            if (cost.fits())
                return slowestWithin(cost.iteration);
        }
    }
    return objectiveScore;
}

void makeNoSlowerThanEven(const PartitionProblem& problem, Solution& solution, const Progress& progress)
{
    WorkBudget budget(problem.options.timeLimit / 4, progress);
    auto even = evenSplit(problem, budget.patience());
    if (!even)
        return;
    const PlanCost cost = evaluate(problem, *even);
    if (!cost.fits() || cost.iteration >= solution.cost.iteration)
        return;
    const ScorePlan score = slowestWithin(cost.iteration);
    const ShouldStop stop = [&](std::uint64_t work) { return budget.spend(work); };
    RefinedPlan best = refine(problem, std::move(*even), score, stop);
    // Plans may have the same bottleneck and a shorter step.
    RefinedPlan other = refine(problem, solution.partition, bottleneckScore, stop);
    other = refine(problem, std::move(other.partition), score, stop);
    if (score(other.cost) < score(best.cost))
        best = std::move(other);
    solution.partition = std::move(best.partition);
    solution.cost = std::move(best.cost);
    solution.solveTime = solution.solveTime + budget.passed();
    solution.cutShort = (solution.cutShort || budget.wasCutShort()) && !solution.proven();
}

} // namespace stagecraft
