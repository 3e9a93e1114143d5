#include "core/recomputed_plan.h"

#include "core/recompute/policies.h"
#include "core/recompute_search.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// How often a plan is searched for anew with the regions as its boundaries part them.
constexpr int roundsOfBoth = 3;

// First whether it fits, then what its objective says.
bool isBetter(const PlanCost& plan, const PlanCost& other)
{
    const auto worth = [](const PlanCost& cost) {
        return std::pair(!cost.fits(),
                         cost.objective == Objective::Iteration ? cost.iteration : cost.bottleneckTime);
    };
    return worth(plan) < worth(other);
}

bool parts(const Partition& partition, const RecomputePlan& plan)
{
    return std::ranges::any_of(plan.regions, [&](const RecomputeRegion& region) {
        return std::ranges::any_of(region.nodes, [&](NodeId node) {
            return partition.stageOf[node] != partition.stageOf[region.nodes.front()];
        });
    });
}

// The plan with regions as its boundaries part them, searched for anew with these until it stays: else the
// best on the way.
Result<RecomputedPlan> asParted(const std::shared_ptr<const Model>& model, const PartitionOptions& options,
                                FoundPlan found, const Profiler& profiler, OverLimit overLimit,
                                const Progress& progress)
{
    Partition partition = std::move(found.solution.partition);
    Seconds solveTime = found.solution.solveTime;
    std::optional<RecomputedPlan> best;
    for (int round = 0; round < roundsOfBoth; ++round) {
        STAGECRAFT_ASSIGN(parted, recomputedProblem(model, options, profiler, &partition, progress));
        STAGECRAFT_ASSIGN(evaluated, evaluatePlan(parted.problem, partition, progress));
        Result<FoundPlan> next =
            findPlan(parted.problem, {.current = &partition, .overLimit = overLimit}, progress);
        const bool stays = !next.has_value() || next->solution.partition == partition;
        if (next.has_value())
            solveTime += next->solution.solveTime;
        if (next.has_value() && stays)
            evaluated = next->solution;
        if (!best || isBetter(evaluated.cost, best->found.solution.cost))
            best = RecomputedPlan{std::move(parted), {std::move(evaluated), found.whyOverLimit}};
        if (stays)
            break;
        partition = std::move(next->solution.partition);
    }
    if (overLimit == OverLimit::Refused && !best->found.solution.cost.fits())
        return Error{
            ErrorCode::Infeasible,
            "no plan was found that keeps the memory limits with regions as its boundaries part them"};
    best->found.solution.solveTime = solveTime;
    return *std::move(best);
}

} // namespace

std::shared_ptr<const NodeStages> nodeStages(const Partition& partition)
{
    auto stages = std::make_shared<NodeStages>(partition.stageOf.size(), 0);
    for (const NodeId node : partition.stageOf.ids())
        (*stages)[node] = partition.stageOf[node].index();
    return stages;
}

Result<RecomputedProblem> recomputedProblem(std::shared_ptr<const Model> model, PartitionOptions options,
                                            const Profiler& profiler, const Partition* partition,
                                            const Progress& progress)
{
    RecomputedProblem made;
    std::shared_ptr<const NodeStages> stages;
    RecomputePolicy& policy = options.recompute;
    if (policy.kind != RecomputeKind::Model) {
        stages = partition && partition->stageCount > 1 ? nodeStages(*partition) : nullptr;
        OperatorSchemas schemas;
        PolicyPlan plan = policy.regions.regions.empty()
                              ? policyPlan(*model, policy, schemas, stages.get())
                              : partedPlan(*model, policy.regions, schemas, stages.get());
        model = std::make_shared<const Model>(withPlan(*model, plan.plan));
        policy.regions = std::move(plan.plan);
        made.notes = std::move(plan.leftOut);
    }
    STAGECRAFT_ASSIGN(profile, profiler(*model, stages));
    STAGECRAFT_ASSIGN(problem, planProblem(*model, profile, std::move(options), progress));
    made.model = std::move(model);
    made.profile = std::move(profile);
    made.problem = std::move(problem);
    return made;
}

Result<RecomputedPlan> findRecomputedPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                          const Profiler& profiler, OverLimit overLimit,
                                          const Progress& progress)
{
    if (options.recompute.kind == RecomputeKind::Auto)
        return findAutoPlan(model, std::move(options), profiler, overLimit, progress);
    if (options.recompute.kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    STAGECRAFT_ASSIGN(posed, recomputedProblem(model, options, profiler, nullptr, progress));
    Result<FoundPlan> found = findPlan(posed.problem, {.overLimit = overLimit}, progress);
    if (!found.has_value())
        return found.error().code != ErrorCode::Infeasible
                   ? found.error()
                   : Error{ErrorCode::Infeasible,
                           found.error().message + autoAdvice(model, options, profiler, progress)};
    if (!found->whyOverLimit.empty())
        found->whyOverLimit += autoAdvice(model, options, profiler, progress);
    if (!parts(found->solution.partition, posed.problem.options.recompute.regions))
        return RecomputedPlan{std::move(posed), *std::move(found)};
    return asParted(model, options, *std::move(found), profiler, overLimit, progress);
}

Result<RecomputedPlan> evaluateRecomputedPlan(const std::shared_ptr<const Model>& model,
                                              PartitionOptions options, Partition partition,
                                              const Profiler& profiler, const Progress& progress)
{
    if (options.recompute.kind == RecomputeKind::Auto && options.recompute.regions.regions.empty())
        return chooseForPlan(model, std::move(options), std::move(partition), profiler, progress);
    STAGECRAFT_ASSIGN(posed, recomputedProblem(model, std::move(options), profiler, &partition, progress));
    STAGECRAFT_ASSIGN(solution, evaluatePlan(posed.problem, std::move(partition), progress));
    return RecomputedPlan{std::move(posed), {std::move(solution), {}}};
}

} // namespace stagecraft
