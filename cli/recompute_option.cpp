#include "cli/recompute_option.h"

#include "cli/option_checks.h"
#include "core/base/printable.h"
#include "core/plan/sources/plan_file.h"
#include "core/recompute/policies.h"

namespace stagecraft::cli {

Result<void> readRecompute(const std::string& text, const Model& model, RecomputePolicy& policy)
{
    if (text.empty() || text == "plan")
        return {};
    std::string wanted = text;
    if (const std::string file(policyOfAll(text)); file.ends_with(".stagecraft")) {
        STAGECRAFT_ASSIGN(plan, readPlan(file));
        const Result<AppliedPlan> applied = applyPlan(plan, model.graph);
        if (!applied.has_value())
            return Error{applied.error().code, printable(file) + ": " + applied.error().message};
        policy = {.kind = RecomputeKind::Plan, .regions = applied->options.recompute.regions};
        wanted = "plan" + text.substr(file.size());
    }
    const std::string_view ofAll = policyOfAll(wanted);
    const Result<RecomputePolicy> read =
        ofAll.empty() || ofAll == "plan" ? parsePolicy(wanted, policy) : parsePolicy(wanted);
    if (!read.has_value())
        return Error{ErrorCode::BadUsage, "--recompute: " + read.error().message};
    policy = *read;
    return {};
}

void withoutBackward(const ProfileFlags& profile, const std::string& text, RecomputePolicy& policy,
                     std::vector<std::string>& notes)
{
    PlanRequest request;
    const Result<void> read = readFields(profile.fields, request);
    const bool trains = !read.has_value() || request.profile.mode == TrainingMode::Train;
    const bool asksForSome =
        policy.kind != RecomputeKind::Model && policy != RecomputePolicy{.kind = RecomputeKind::None};
    if (trains || !asksForSome)
        return;
    notes.push_back(
        (text.empty() ? "the plan's recomputation (" + printPolicy(policy) + ")" : "--recompute " + text) +
        " is left out: without a backward pass (--mode " + requestField("mode").print(request) +
        ") nothing is recomputed");
    policy = {.kind = RecomputeKind::None};
}

Result<RecomputedModel> recomputedModel(const Model& model, const RecomputePolicy& policy,
                                        const NodeStages* stages, std::vector<std::string>& notes)
{
    if (policy.kind == RecomputeKind::Model)
        return RecomputedModel{{std::shared_ptr<void>(), &model}, ownPlan(model.graph, stages)};
    if (!policy.ofStages.empty() && !stages)
        return Error{ErrorCode::BadUsage, "--recompute " + printPolicy(policy) +
                                              ": single stages are those of a plan; --plan FILE names one"};
    if (choosesAny(policy) && policy.regions.regions.empty())
        return Error{ErrorCode::BadUsage, "--recompute auto: needs a plan, whose stages have a memory limit; "
                                          "`partition --recompute auto -o FILE` makes one"};
    OperatorSchemas schemas;
    PolicyPlan plan = policy.regions.regions.empty() || !policy.ofStages.empty()
                          ? policyPlan(model, policy, schemas, stages)
                          : partedPlan(model, policy.regions, schemas, stages);
    notes.insert(notes.end(), plan.leftOut.begin(), plan.leftOut.end());
    return RecomputedModel{std::make_shared<const Model>(withPlan(model, plan.plan)), std::move(plan.plan)};
}

} // namespace stagecraft::cli
