#include "app/document/recomputed_plans.h"

#include "core/recompute_search.h"

namespace stagecraft {

namespace {

Profiler profilerOf(const PlanQuestion& question, const Progress& progress)
{
    return [options = question.profile, times = question.times,
            progress](const Model& model, std::shared_ptr<const NodeStages> parts) -> Result<Profile> {
        ProfileOptions wanted = options;
        wanted.parts = std::move(parts);
        STAGECRAFT_ASSIGN(profile, traceAndProfile(model, wanted, progress));
        if (times)
            applyTimeOverrides(*times, profile);
        return profile;
    };
}

Profiled profiledOf(RecomputedProblem posed)
{
    return {std::make_shared<const Profile>(std::move(posed.profile)),
            std::make_shared<const PartitionProblem>(std::move(posed.problem)), std::move(posed.notes)};
}

} // namespace

Result<Profiled> profiledFor(const PlanQuestion& question, const Partition* partition,
                             const Progress& progress)
{
    if (partition && question.plan.recompute.kind == RecomputeKind::Auto &&
        question.plan.recompute.regions.regions.empty()) {
        STAGECRAFT_ASSIGN(chosen, evaluateRecomputedPlan(question.model, question.plan, *partition,
                                                         profilerOf(question, progress), progress));
        return profiledOf(std::move(chosen.of));
    }
    STAGECRAFT_ASSIGN(posed, recomputedProblem(question.model, question.plan, profilerOf(question, progress),
                                               partition, progress));
    return profiledOf(std::move(posed));
}

Result<Split> splitFor(const PlanQuestion& question, const Progress& progress)
{
    STAGECRAFT_ASSIGN(planned,
                      findRecomputedPlan(question.model, question.plan, profilerOf(question, progress),
                                         OverLimit::Taken, progress));
    return Split{std::move(planned.found), profiledOf(std::move(planned.of))};
}

std::string adviceFor(const PlanQuestion& question, const Progress& progress)
{
    return autoAdvice(question.model, question.plan, profilerOf(question, progress), progress);
}

const std::shared_ptr<const Model>& RunningModel::of(const std::shared_ptr<const Model>& model,
                                                     const RecomputePolicy& policy)
{
    if (!model || policy.kind == RecomputeKind::Model)
        return model;
    if (m_from != model || m_regions != policy.regions) {
        m_from = model;
        m_regions = policy.regions;
        m_model = std::make_shared<const Model>(withPlan(*model, policy.regions));
    }
    return m_model;
}

} // namespace stagecraft
