#include "app/document/other_plans.h"

#include "core/plan/sources/plan_file.h"
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
    STAGECRAFT_ASSIGN(solution, evaluatePlan(*plan.state.problem, cuts, progress));
    takeSolution(plan, std::move(solution));
    return plan;
}

Result<OtherPlan> planOfFile(const std::filesystem::path& path, const std::filesystem::path& modelPath,
                             PlanState target, PlanQuestion question, const Progress& progress)
{
    STAGECRAFT_ASSIGN(file, readPlan(path));
    STAGECRAFT_ASSIGN(applied, applyPlan(file, question.model->graph));
    applied.options.stageCount = applied.partition.stageCount;
    target.locks.clear();
    target.request.plan = applied.options;
    target.request = withOptions(std::move(target.request), applied.options);
    target.partition = std::make_shared<const Partition>(std::move(applied.partition));
    question.plan = partitionOptions(target, question.plan.timeLimit, question.profile.device);
    Result<OtherPlan> plan = planWithCuts(std::move(target), question, progress);
    if (!plan.has_value())
        return Error{plan.error().code, path.string() + ": " + plan.error().message};
    plan->notes.insert(plan->notes.begin(), applied.notes.begin(), applied.notes.end());
    if (const std::string note = changedModelNote(file, modelPath, progress); !note.empty())
        plan->notes.push_back(note);
    return plan;
}

} // namespace stagecraft
