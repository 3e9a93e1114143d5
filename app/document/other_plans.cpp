#include "app/document/other_plans.h"

#include "app/document/plan_of_file.h"
#include "core/recomputed_plan.h"
#include "core/workflow.h"

namespace stagecraft {

namespace {

void takeSolution(OtherPlan& plan, Solution&& solution)
{
    PlanState& state = plan.state;
    plan.bounds = {solution.bound, solution.iterationBound};
    state.partition = std::make_shared<const Partition>(std::move(solution.partition));
    state.cost = std::make_shared<const PlanCost>(std::move(solution.cost));
    state.request.plan.stageCount = state.partition->stageCount;
}

Result<Split> searched(PlanState& target, const PlanQuestion& question, const Progress& progress)
{
    if (question.plan.recompute.kind != RecomputeKind::Model)
        return splitFor(question, progress);
    STAGECRAFT_ASSIGN(profiled, profiledFor(question, nullptr, progress));
    takeProfile(target, std::move(profiled));
    return splitThatFits(question, *target.problem, *target.partition, progress);
}

} // namespace

Result<OtherPlan> bestPlan(PlanState target, const PlanQuestion& question, const Progress& progress)
{
    OtherPlan plan{.state = std::move(target)};
    STAGECRAFT_ASSIGN(split, searched(plan.state, question, progress));
    if (split.of)
        takeProfile(plan.state, *std::move(split.of));
    for (const std::string& note : {split.note, split.found.whyOverLimit})
        if (!note.empty())
            plan.notes.push_back(note);
    takeSolution(plan, std::move(split.found.solution));
    return plan;
}

Result<OtherPlan> planWithCuts(PlanState target, const PlanQuestion& question, const Progress& progress)
{
    OtherPlan plan{.state = std::move(target)};
    const Partition cuts = *plan.state.partition;
    if (cuts.stageCount != question.plan.stageCount)
        return Error{ErrorCode::BadUsage, "these cuts make " + std::to_string(cuts.stageCount) +
                                              " stages, and " + stagingText(question.plan) +
                                              " were asked for; compare with the best cuts instead"};
    STAGECRAFT_ASSIGN(profiled, profiledFor(question, &cuts, progress));
    plan.notes = profiled.notes;
    takeProfile(plan.state, std::move(profiled));
    STAGECRAFT_ASSIGN(solution, boundedPlan(question, *plan.state.problem, cuts, progress));
    takeSolution(plan, std::move(solution));
    return plan;
}

Result<OtherPlan> planOfFile(const std::filesystem::path& path, const std::filesystem::path& modelPath,
                             PlanState target, PlanQuestion question, const Progress& progress)
{
    STAGECRAFT_ASSIGN(file, readPlan(path));
    STAGECRAFT_ASSIGN(found, stateOfFile(file, *question.model, target, question.kinds.known));
    STAGECRAFT_ASSIGN(device, findDevice(question.kinds.known, found.request.device));
    target.locks.clear();
    target.request = std::move(found.request);
    target.partition = std::make_shared<const Partition>(std::move(found.partition));
    if (target.times && target.times->sizes != target.request.profile.bindings)
        target.times.reset();
    question.profile = {target.request.profile, std::move(device), question.profile.substitutes};
    question.times = target.times;
    question.without = nullptr;
    question.kinds.devices = target.request.stageDevices;
    question.plan = partitionOptions(target, question.plan.timeLimit, question.profile.device);
    Result<OtherPlan> plan = planWithCuts(std::move(target), question, progress);
    if (!plan.has_value())
        return Error{plan.error().code, path.string() + ": " + plan.error().message};
    plan->notes.insert(plan->notes.begin(), found.notes.begin(), found.notes.end());
    if (const std::string note = changedModelNote(file, modelPath, progress); !note.empty())
        plan->notes.push_back(note);
    return plan;
}

Result<Solution> boundedPlan(const PlanQuestion& question, const PartitionProblem& problem,
                             const Partition& partition, const Progress& progress)
{
    STAGECRAFT_ASSIGN(solution, evaluatePlan(problem, partition, progress));
    const RecomputePolicy& policy = problem.options.recompute;
    if (!policy.regions.regions.empty() && policy.kind != RecomputeKind::Model)
        STAGECRAFT_TRY(takeBoundOfAll(nullptr, question.model, problem.options,
                                      profilerOf(question, progress), solution, progress));
    return solution;
}

Result<FoundPlan> searchedBound(const PlanQuestion& question, const PartitionProblem& problem,
                                const Partition& partition, const Progress& progress)
{
    const RecomputePolicy& policy = problem.options.recompute;
    if (!choosesAny(policy) && policy.ofStages.empty())
        return findPlan(problem, {.overLimit = OverLimit::Refused}, progress);
    STAGECRAFT_ASSIGN(solution, boundedPlan(question, problem, partition, progress));
    return FoundPlan{std::move(solution), {}};
}

} // namespace stagecraft
