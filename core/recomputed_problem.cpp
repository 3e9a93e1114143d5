#include "core/recomputed_problem.h"

#include "core/recompute/policies.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

bool isBetter(const PlanCost& plan, const PlanCost& other)
{
    const auto worth = [](const PlanCost& cost) {
        return std::pair(!cost.fits(),
                         cost.objective == Objective::Iteration ? cost.iteration : cost.bottleneckTime);
    };
    return worth(plan) < worth(other);
}

Result<RecomputedProblem> recomputedProblem(std::shared_ptr<const Model> model, PartitionOptions options,
                                            const Profiler& profiler, const Partition* partition,
                                            const Progress& progress)
{
    RecomputedProblem made;
    std::shared_ptr<const NodeStages> stages;
    RecomputePolicy& policy = options.recompute;
    if (policy.kind == RecomputeKind::Model) {
        stages = partition && partition->stageCount > 1 ? nodeStages(*partition) : nullptr;
    } else {
        const bool isByStage = partition && !policy.ofStages.empty();
        stages = partition && (partition->stageCount > 1 || isByStage) ? nodeStages(*partition) : nullptr;
        OperatorSchemas schemas;
        PolicyPlan plan = policy.regions.regions.empty() || isByStage
                              ? policyPlan(*model, policy, schemas, stages.get())
                              : partedPlan(*model, policy.regions, schemas, stages.get());
        model = std::make_shared<const Model>(withPlan(*model, plan.plan));
        policy.regions = std::move(plan.plan);
        made.notes = std::move(plan.leftOut);
    }
    if (ownPlan(model->graph).regions.empty())
        stages = nullptr; // as all plans of it are profiled
    STAGECRAFT_ASSIGN(profile, profiler(*model, stages));
    STAGECRAFT_ASSIGN(problem, planProblem(*model, profile, std::move(options), progress));
    made.model = std::move(model);
    made.profile = std::move(profile);
    made.problem = std::move(problem);
    return made;
}

} // namespace stagecraft
