#include "core/plan/sources/changed_regions.h"

#include "core/plan/node_stages.h"
#include "core/recompute/policies.h"

namespace stagecraft {

std::string changedRegionsNote(const Model& model, const AppliedPlan& applied)
{
    const RecomputePolicy& policy = applied.options.recompute;
    if (policy.ofStages.empty() || policy.kind == RecomputeKind::Plan || policy.regions.regions.empty())
        return {};
    OperatorSchemas schemas;
    const auto stages = nodeStages(applied.partition);
    if (policyPlan(model, policy, schemas, stages.get()).plan == policy.regions)
        return {};
    return "the plan's recompute_regions are not those of its policy (" + printPolicy(policy) +
           "), which makes them anew";
}

} // namespace stagecraft
