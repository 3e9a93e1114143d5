#include "app/document/recomputed_plans.h"

#include "core/base/text.h"
#include "core/recompute_over_limit.h"
#include "core/stage_speeds.h"

#include <algorithm>

namespace stagecraft {

Profiler profilerOf(const PlanQuestion& question, const Progress& progress)
{
    // Each is a short part of a search, which cannot say how much of it that is.
    return [options = question.profile, times = question.times, progress = progress.silent()](
               const Model& model, std::shared_ptr<const NodeStages> parts) -> Result<Profile> {
        ProfileOptions wanted = options;
        wanted.parts = std::move(parts);
        STAGECRAFT_ASSIGN(profile, traceAndProfile(model, wanted, progress));
        if (times)
            applyTimeOverrides(*times, profile);
        return profile;
    };
}

namespace {

// Null where nothing runs again.
Result<std::shared_ptr<const RunAgain>> runAgain(const PlanQuestion& question, const RecomputePlan& plan,
                                                 const Profiler& profiler)
{
    if (plan.regions.empty())
        return std::shared_ptr<const RunAgain>();
    const std::size_t count = question.model->graph.nodeCount();
    RunAgain again{Table<NodeId, char>(count, 0), Table<NodeId, char>(count, 0), question.without};
    for (const RecomputeRegion& region : plan.regions)
        for (const NodeId node : region.nodes) {
            again.isInRegion[node] = 1;
            again.isAgain[node] = std::ranges::binary_search(region.kept, node) ? 0 : 1;
        }
    if (!again.without) {
        STAGECRAFT_ASSIGN(without, profiler(withPlan(*question.model, {}), nullptr));
        again.without = std::make_shared<const Profile>(std::move(without));
    }
    return std::make_shared<const RunAgain>(std::move(again));
}

// `partition`: that parts its regions; null: none does.
Result<Profiled> profiledOf(const PlanQuestion& question, RecomputedProblem posed, const Partition* partition,
                            const Progress& progress)
{
    const RecomputePolicy& policy = posed.problem.options.recompute;
    const RecomputePlan regions = regionsThatRun(question.model->graph, policy);
    const bool areParted = partition && (policy.kind != RecomputeKind::Model || !regions.regions.empty());
    STAGECRAFT_ASSIGN(again, runAgain(question, regions, profilerOf(question, progress)));
    return Profiled{std::make_shared<const Profile>(std::move(posed.profile)),
                    std::make_shared<const PartitionProblem>(std::move(posed.problem)),
                    std::move(posed.notes), std::move(again),
                    areParted ? std::make_shared<const Partition>(*partition) : nullptr};
}

bool asksTheSame(const PlanState& a, const PlanState& b)
{
    return a.request.device == b.request.device && a.request.profile == b.request.profile &&
           shareFigures(a, b);
}

Result<PartitionOptions> withSpeeds(const PlanQuestion& question, const Progress& progress)
{
    return withStageSpeeds(question.plan, question.kinds.devices, question.kinds.known, *question.model,
                           question.profile, progress);
}

// What it costs that a plan recomputes, where none fits without.
std::string costOfFitting(const std::string& whyOverLimit, const PlanCost& cost)
{
    Seconds compute;
    Seconds again;
    for (const StageCost& stage : cost.stages) {
        compute += stage.compute();
        again += stage.recomputed;
    }
    return formatted(
        "to fit into memory, %.1f %% of all computing runs again: a step takes %s, a device holds at "
        "most %s. Without it %s. Recompute, in the plan's options, has other choices",
        100 * (again / compute), formatSeconds(cost.iteration).c_str(),
        formatBytes(cost.peakMemory()).c_str(), whyOverLimit.c_str());
}

} // namespace

void takeProfile(PlanState& state, Profiled profiled)
{
    state.profile = std::move(profiled.profile);
    state.problem = std::move(profiled.problem);
    state.again = std::move(profiled.again);
    state.partedBy = std::move(profiled.partedBy);
    state.request.plan.recompute = state.problem->options.recompute;
    if (!state.request.stageDevices.empty())
        state.request.plan.speeds = state.problem->options.speeds;
}

std::shared_ptr<const Profile> profileWithout(const PlanState& state, const PlanState& asked)
{
    if (!state.profile || !asksTheSame(state, asked))
        return nullptr;
    return state.again ? state.again->without : state.profile;
}

bool isUnsettled(const PlanState& state)
{
    if (!state.problem)
        return false;
    if (!state.partedBy) // made for all plans
        return state.again && state.partition->stageCount > 1;
    if (*state.partedBy == *state.partition)
        return false;
    // Where stages choose, that nothing runs again may hold for those boundaries alone: what these hold, a
    // trace of their own tells.
    return state.again || choosesAny(state.request.plan.recompute);
}

PlanState askedToSettle(PlanState state)
{
    RecomputePolicy& policy = state.request.plan.recompute;
    if (policy.kind != RecomputeKind::Plan) // whose regions are a person's own
        policy.regions = {};
    return state;
}

Result<Profiled> profiledFor(const PlanQuestion& question, const Partition* partition,
                             const Progress& progress)
{
    STAGECRAFT_ASSIGN(plan, withSpeeds(question, progress));
    const bool isChosenAnew =
        partition && choosesAny(plan.recompute) && plan.recompute.regions.regions.empty();
    if (isChosenAnew) {
        STAGECRAFT_ASSIGN(chosen, evaluateRecomputedPlan(question.model, std::move(plan), *partition,
                                                         profilerOf(question, progress), progress));
        return profiledOf(question, std::move(chosen.of), partition, progress);
    }
    STAGECRAFT_ASSIGN(posed, recomputedProblem(question.model, std::move(plan),
                                               profilerOf(question, progress), partition, progress));
    return profiledOf(question, std::move(posed), partition, progress);
}

Result<Split> splitFor(const PlanQuestion& question, const Progress& progress)
{
    STAGECRAFT_ASSIGN(plan, withSpeeds(question, progress));
    STAGECRAFT_ASSIGN(planned,
                      findRecomputedPlan(question.model, std::move(plan), profilerOf(question, progress),
                                         OverLimit::Taken, progress));
    STAGECRAFT_ASSIGN(
        of, profiledOf(question, std::move(planned.of), &planned.found.solution.partition, progress));
    return Split{std::move(planned.found), std::move(of)};
}

namespace {

// The best plan of the model as it is; parted, where it brings regions along.
Result<Split> splitAsItRuns(const PlanQuestion& question, const PartitionProblem& problem,
                            const Partition& current, const Progress& progress)
{
    if (ownPlan(question.model->graph).regions.empty()) {
        STAGECRAFT_ASSIGN(found, findPlan(problem, {.current = &current}, progress));
        return Split{std::move(found), std::nullopt};
    }
    STAGECRAFT_ASSIGN(plan, withSpeeds(question, progress));
    STAGECRAFT_ASSIGN(planned, findPlanAsTold(question.model, std::move(plan), profilerOf(question, progress),
                                              OverLimit::Taken, progress));
    STAGECRAFT_ASSIGN(
        of, profiledOf(question, std::move(planned.of), &planned.found.solution.partition, progress));
    return Split{std::move(planned.found), std::move(of)};
}

} // namespace

Result<Split> splitThatFits(const PlanQuestion& question, const PartitionProblem& problem,
                            const Partition& current, const Progress& progress)
{
    STAGECRAFT_ASSIGN(split, splitAsItRuns(question, problem, current, progress));
    if (split.found.whyOverLimit.empty() || question.profile.mode != TrainingMode::Train)
        return split;
    PlanQuestion automatic = question;
    automatic.plan.recompute = {.kind = RecomputeKind::Auto};
    Result<Split> fitting = splitFor(automatic, progress);
    if (!fitting.has_value() && fitting.error().code == ErrorCode::Cancelled)
        return fitting.error();
    if (fitting.has_value() && !fitting->found.whyOverLimit.empty())
        split.found.whyOverLimit =
            withWhyOfAuto(std::move(split.found.whyOverLimit), fitting->found.whyOverLimit);
    if (!fitting.has_value() || !fitting->found.whyOverLimit.empty() || !fitting->of->again)
        return split;
    fitting->recomputesToFit = true;
    fitting->note = costOfFitting(split.found.whyOverLimit, fitting->found.solution.cost);
    return fitting;
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
