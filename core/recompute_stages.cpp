#include "core/recompute_stages.h"

#include "core/base/contains.h"
#include "core/plan/evaluate.h"
#include "core/recompute_climb.h"
#include "core/recompute_known.h"
#include "core/traced_choice.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr int roundsOfStages = 4;

Result<RecomputedPlan> planOfCuts(const RecomputeChooser* chooser, const std::shared_ptr<const Model>& model,
                                  PartitionOptions options, const Partition& partition,
                                  const Profiler& profiler, const Progress& progress)
{
    if (options.recompute.kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    if (chooser)
        return chooseForStages(*chooser, model, std::move(options), partition, profiler, progress);
    STAGECRAFT_ASSIGN(posed, recomputedProblem(model, std::move(options), profiler, &partition, progress));
    STAGECRAFT_ASSIGN(solution, evaluatePlan(posed.problem, partition, progress));
    return RecomputedPlan{std::move(posed), {std::move(solution), {}}};
}

// Other cuts for what the stages of a plan recompute: moved by estimates of what they would then choose, or
// found with that as it is. None: these are as good.
std::optional<Solution> nextCuts(const RecomputeChooser* chooser, const std::shared_ptr<const Model>& model,
                                 const PartitionOptions& options, const RecomputedPlan& planned,
                                 const Profiler& profiler, const Progress& progress)
{
    const Partition& partition = planned.found.solution.partition;
    if (chooser) {
        const TracedChoice choice(*chooser, model, options, profiler, overOf(progress), progress);
        const std::vector<Bytes> rooms = choice.rooms(chooser->ground().none.options.memoryLimits);
        RecomputeChooser::Known known;
        Partition moved = climbed(
            chooser->ground().none, partition,
            [&](const Partition& other, Seconds most) { return choice.estimate(other, rooms, known, most); },
            overOf(progress));
        if (moved != partition)
            return Solution{.partition = std::move(moved)};
    }
    PartitionProblem problem = planned.of.problem;
    problem.options.timeLimit = options.timeLimit / roundsOfStages;
    Result<FoundPlan> next = findPlan(problem, {.current = &partition}, progress);
    if (!next.has_value() || next->solution.partition == partition)
        return std::nullopt;
    return std::move(next->solution);
}

} // namespace

Result<RecomputedPlan> findPlanOfStages(const Solution& first, const RecomputeChooser* chooser,
                                        const std::shared_ptr<const Model>& model, PartitionOptions options,
                                        const Profiler& profiler, OverLimit overLimit,
                                        const Progress& progress)
{
    Partition partition = first.partition;
    Seconds solveTime = first.solveTime;
    std::optional<RecomputedPlan> best;
    std::vector<Partition> tried;
    for (int round = 0; round < roundsOfStages; ++round) {
        STAGECRAFT_ASSIGN(planned, planOfCuts(chooser, model, options, partition, profiler, progress));
        std::optional<Solution> next = nextCuts(chooser, model, options, planned, profiler, progress);
        if (!best || isBetter(planned.found.solution.cost, best->found.solution.cost))
            best = std::move(planned);
        tried.push_back(std::move(partition));
        if (!next || contains(tried, next->partition))
            break;
        solveTime += next->solveTime;
        partition = std::move(next->partition);
    }
    Solution& solution = best->found.solution;
    const std::string why = "no plan was found that keeps the memory limits with what each stage is to "
                            "recompute (" +
                            printPolicy(options.recompute) + ")";
    if (!solution.cost.fits() && overLimit == OverLimit::Refused)
        return Error{ErrorCode::Infeasible, why};
    if (!solution.cost.fits())
        best->found.whyOverLimit = why;
    solution.solveTime = solveTime;
    return *std::move(best);
}

Result<RecomputedPlan> chooseForStages(const RecomputeChooser& chooser,
                                       const std::shared_ptr<const Model>& model, PartitionOptions options,
                                       const Partition& partition, const Profiler& profiler,
                                       const Progress& progress)
{
    STAGECRAFT_TRY(checkPartition(chooser.ground().none, partition));
    TracedChoice choice(chooser, model, options, profiler, overOf(progress), progress);
    const std::vector<Bytes> rooms = choice.rooms(chooser.ground().none.options.memoryLimits);
    RecomputeChooser::Known known;
    ToldPolicies told(chooser.caps());
    STAGECRAFT_ASSIGN(found, choice.of(partition, rooms, known, told));
    STAGECRAFT_ASSIGN(plan, choice.improved(std::move(found), rooms));
    STAGECRAFT_ASSIGN(solution, evaluatePlan(plan.of.problem, partition, progress));
    if (!TracedChoice::fits(plan.cost, rooms))
        plan.of.notes.emplace_back(
            "not every stage that recomputes as memory demands (auto) fits, though these "
            "hold the least that was found");
    RecomputePolicy& made = plan.of.problem.options.recompute;
    options.recompute.regions = std::move(made.regions);
    made = std::move(options.recompute);
    return RecomputedPlan{std::move(plan.of), {std::move(solution), {}}};
}

} // namespace stagecraft
