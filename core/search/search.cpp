#include "core/search/search.h"

#include "core/base/work_budget.h"
#include "core/plan/evaluate.h"
#include "core/search/bound/bounds.h"
#include "core/search/improve/anneal.h"
#include "core/search/improve/even_split.h"
#include "core/search/improve/order_dp.h"
#include "core/search/improve/orders.h"
#include "core/search/improve/refine.h"
#include "core/search/reduce/loads.h"
#include "core/search/stage_search.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

GroupStages groupStages(const ReducedProblem& reduced, const Partition& partition)
{
    GroupStages stages;
    for (const ReducedGroup& group : reduced.groups)
        stages.add(partition.stageOf[group.nodes.front()].index());
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
std::vector<Partition> beginnings(const PartitionProblem& problem, const ReducedProblem& reduced,
                                  const Partition& plan)
{
    std::vector<Partition> found{plan};
    const GroupStages stages = groupStages(reduced, plan);
    const double bottleneck = bottleneckOf(reduced, stages);
    for (const double allowance : {1.01, 1.03, 1.1}) {
        const auto even = sliceEvenly(reduced, orderOfStages(stages), bottleneck * allowance);
        if (!even)
            continue;
        Partition partition = expand(reduced, even->stages);
        if (checkPartition(problem, partition).has_value() &&
            std::ranges::find(found, partition) == found.end())
            found.push_back(std::move(partition));
    }
    return found;
}

class WholeSearch
{
public:
    WholeSearch(const PartitionProblem& problem, const ReducedProblem& reduced, WorkBudget& all,
                const Progress& progress)
        : m_problem(problem),
          m_reduced(reduced),
          m_progress(progress),
          m_goal(problem.options.objective == Objective::Iteration ? PlanGoal::Step
                                                                   : PlanGoal::SlowestDevice),
          m_all(all)
    {
    }

    // The best plan found, which may break limits that devices have together. Fails where there is none whose
    // stages keep them each.
    Result<Solution> run()
    {
        const Result<void> begun = beginByStage();
        // Half of the work is left, and as much time.
        WorkBudget budget(m_problem.options.timeLimit / 2, m_progress);
        m_budget = &budget;
        refineStarts();
        tryAllPlans();
        if (!m_best) {
            STAGECRAFT_TRY(begun);
            return cancelled();
        }
        boundDevices();
        improve();
        m_best->solveTime = m_all.passed();
        m_best->cutShort |= !m_isProven && budget.wasCutShort();
        return std::move(*m_best);
    }

private:
    double value() const { return m_best ? wholeValue(m_goal, m_best->cost) : infinite; }
    bool isSpent() { return m_budget->isSpent(); }
    ShouldStop stopper()
    {
        return [this](std::uint64_t work) { return m_budget->spend(work); };
    }

    // Plans whose stages are good each alone, and others from there that are more even. Fails where there is
    // no such plan.
    Result<void> beginByStage()
    {
        bool cutShort = false;
        for (const PartitionProblem& variation : variations(m_problem)) {
            auto byStage = solveByStage(variation, m_progress);
            if (!byStage.has_value() && !m_best)
                return byStage.error();
            if (!byStage.has_value())
                break;
            cutShort |= byStage->cutShort;
            if (!m_best) {
                m_best = *byStage;
                m_best->cost = evaluate(m_problem, m_best->partition);
            }
            if (m_progress.stopRequested())
                break;
            for (Partition& start : beginnings(m_problem, m_reduced, byStage->partition))
                m_starts.push_back(std::move(start));
        }
        // However little time there is, the answer is no worse than any of these.
        if (auto even = evenSplit(m_problem, m_reduced.isOver))
            m_starts.push_back(std::move(*even));
        for (const Partition& start : m_starts)
            offer(start, evaluate(m_problem, start));
        m_best->cutShort = cutShort;
        return {};
    }

    void refineStarts()
    {
        for (Partition& start : m_starts) {
            if (isSpent())
                return;
            refineFrom(std::move(start));
        }
    }

    void refineFrom(Partition start)
    {
        // Where stages share a device, the least load of the slowest device makes the others wait.
        const bool isOfStep = m_goal == PlanGoal::Step;
        if (!isOfStep || !m_problem.options.sharesDevices())
            start = refine(m_problem, std::move(start), bottleneckScore, stopper()).partition;
        RefinedPlan refined = refine(m_problem, std::move(start), objectiveScore, stopper());
        offer(std::move(refined.partition), std::move(refined.cost));
    }

    void offer(Partition partition, PlanCost cost)
    {
        if (!m_best)
            m_best.emplace();
        else if (objectiveScore(cost) >= objectiveScore(m_best->cost))
            return;
        m_best->partition = std::move(partition);
        m_best->cost = std::move(cost);
    }

    // A small problem has few enough; one that is nearly a chain may have.
    void tryAllPlans()
    {
        constexpr std::size_t fewGroups = 16;
        constexpr std::size_t mostGroups = 300;
        if (m_reduced.size() > mostGroups)
            return;
        // What is placed is no bound of the step where one more node may join both parts of a backward pass.
        if (m_goal == PlanGoal::Step && mayJoinBackward(m_problem))
            return;
        const double share = m_reduced.size() <= fewGroups ? 0.3 : 0.12;
        double workLeft = share * m_problem.options.timeLimit.value() * 1e9;
        const ShouldStop stop = [&](std::uint64_t work) {
            workLeft -= static_cast<double>(work);
            return workLeft <= 0 || m_budget->spend(work);
        };
        const ExhaustiveAnswer answer = searchAllPlans(m_problem, m_reduced, m_goal, value(), stop);
        m_isProven = answer.isComplete;
        if (!answer.stages)
            return;
        Partition partition = expand(m_reduced, *answer.stages);
        PlanCost cost = evaluate(m_problem, partition);
        offer(std::move(partition), std::move(cost));
    }

    void boundDevices()
    {
        Solution& solution = *m_best;
        const bool isOptimum = m_isProven && solution.cost.fits();
        if (isOptimum && m_goal == PlanGoal::Step)
            solution.iterationBound = solution.cost.iteration;
        if (isOptimum && m_goal == PlanGoal::SlowestDevice)
            solution.bound = {solution.cost.bottleneckTime, "search", {}};
        else if (m_problem.options.sharesDevices())
            solution.bound = deviceBound(m_reduced, solution.cost.devices.size(),
                                         solution.cost.bottleneckTime.value(), stopper());
    }

    // From the best plan on, longer and longer.
    void improve()
    {
        constexpr std::array<double, 4> temperatures{1, 10, 100, 0.1};
        constexpr std::uint64_t mostSteps = 400'000;
        std::uint64_t steps = 20'000;
        for (std::uint64_t round = 0; !m_isProven && !isSpent(); ++round) {
            steps = std::min(mostSteps, steps + steps / 2);
            (void)m_progress.step("Improving",
                                  static_cast<std::size_t>(500 + m_budget->fractionSpent() * 500), 1000);
            const double bound = m_goal == PlanGoal::Step
                                     ? m_best->cost.bottleneckTime.value() *
                                           static_cast<double>(m_problem.options.microbatches)
                                     : (m_best->bound.value + m_best->cost.bottleneckTime).value() / 2;
            const auto stages =
                annealWhole(m_problem, m_reduced, groupStages(m_reduced, m_best->partition), value(), m_goal,
                            {.aimSeconds = bound,
                             .temperature = temperatures.at(round % temperatures.size()),
                             .steps = steps,
                             .seed = m_problem.options.seed * 1000 + round,
                             .shouldStop = stopper()});
            if (stages)
                refineFrom(expand(m_reduced, *stages));
            if (m_goal == PlanGoal::SlowestDevice && m_best->cost.fits() && m_best->proven())
                return;
            if (round > 200)
                return;
        }
    }

    const PartitionProblem& m_problem;
    const ReducedProblem& m_reduced;
    const Progress& m_progress;
    const PlanGoal m_goal;
    WorkBudget& m_all;
    WorkBudget* m_budget = nullptr; // of what comes after the search by stage
    std::vector<Partition> m_starts;
    std::optional<Solution> m_best;
    bool m_isProven = false; // no plan is better
};

Result<Solution> solveWhole(const PartitionProblem& problem, const Progress& progress)
{
    STAGECRAFT_TRY(checkProblem(problem));
    WorkBudget all(problem.options.timeLimit, progress);
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem, Joining::Lossless, all.patience()));
    STAGECRAFT_ASSIGN(solution, WholeSearch(problem, reduced, all, progress).run());
    if (!solution.cost.fits())
        return progress.stopRequested() ? cancelled() : noPlan();
    return solution;
}

} // namespace

Result<Solution> solve(const PartitionProblem& problem, const Progress& progress)
{
    if (problem.options.objective == Objective::Iteration)
        return solveWhole(problem, progress);
    STAGECRAFT_ASSIGN(solution, problem.options.sharesDevices() ? solveWhole(problem, progress)
                                                                : solveByStage(problem, progress));
    if (problem.limitsStep())
        makeNoSlowerThanEven(problem, solution, progress);
    return solution;
}

} // namespace stagecraft
