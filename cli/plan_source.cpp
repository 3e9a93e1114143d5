#include "cli/plan_source.h"

#include "cli/given_cuts.h"
#include "cli/option_checks.h"
#include "core/base/printable.h"
#include "core/base/typed_figures.h"
#include "core/plan/plan_notes.h"
#include "core/plan/sources/changed_regions.h"
#include "core/plan/sources/plan_file.h"
#include "core/recompute/policies.h"

#include <iostream>

namespace stagecraft::cli {

namespace {

// The model outlives whatever is made of it here.
std::shared_ptr<const Model> shared(const Model& model)
{
    return {std::shared_ptr<void>(), &model};
}

// Where no limit is asked for, it is the device's.
PartitionOptions limited(PartitionOptions options, const DeviceSpec& device, ChosenPlan& chosen)
{
    chosen.limitIsOfDevice = options.memoryLimits.empty();
    if (chosen.limitIsOfDevice)
        options.memoryLimits = planLimits(device);
    return options;
}

// On the devices of its stages; where no limit is asked for, it is that of `device`, the plan's.
Result<PlacedPlan> placedOn(const DeviceSpec& device, const Model& model, PartitionOptions options,
                            const ProfileFlags& profile, const PlanFlags& plan, const FlagsOfPlan* asMade,
                            ChosenPlan& chosen, const Progress& progress)
{
    STAGECRAFT_ASSIGN(placed, placedPlan(model, limited(std::move(options), device, chosen), profile, plan,
                                         asMade, progress));
    if (placed.options.memoryLimits.empty()) // stages that are all back on the plan's device
        placed.options = limited(std::move(placed.options), device, chosen);
    return placed;
}

void take(RecomputedProblem posed, ChosenPlan& chosen)
{
    chosen.sourceNotes = chosen.notes.size();
    chosen.notes.insert(chosen.notes.end(), posed.notes.begin(), posed.notes.end());
    const std::vector<std::string> notes = noteTexts(posed.profile);
    chosen.notes.insert(chosen.notes.end(), notes.begin(), notes.end());
    chosen.model = std::move(posed.model);
    chosen.profile = std::move(posed.profile);
    chosen.problem = std::move(posed.problem);
}

void take(RecomputedPlan planned, ChosenPlan& chosen)
{
    take(std::move(planned.of), chosen);
    chosen.solution = std::move(planned.found.solution);
    if (!planned.found.whyOverLimit.empty())
        chosen.notes.push_back("this plan does not fit into memory: " + planned.found.whyOverLimit);
}

// What the plan was made for, but for what the person says now.
Result<PartitionOptions> optionsNow(const Model& model, const PartitionOptions& saved,
                                    const PlanSourceFlags& flags, const FlagsOfPlan& asMade,
                                    std::vector<std::string>& notes)
{
    PlanRequest request{.plan = saved};
    PartitionOptions& now = request.plan;
    STAGECRAFT_TRY(readFields(flags.plan.fields, request));
    STAGECRAFT_TRY(readRecompute(flags.plan.recompute, model, now.recompute));
    withoutBackward(asMade.flags, flags.plan.recompute, now.recompute, notes);
    StageCounts counts = flags.plan.counts;
    counts.stages = saved.stageCount;
    if (!counts.devices && !counts.perDevice && !traitsOf(now.schedule).fixedStages)
        counts.perDevice = saved.stagesEach();
    STAGECRAFT_TRY(setStageCounts(now, counts));
    if (flags.command->count("--objective") == 0 && saved.objective == usualObjective(saved))
        now.objective = usualObjective(now);
    if (!flags.plan.memoryLimit.empty()) {
        STAGECRAFT_ASSIGN(limit, parseMemory(flags.plan.memoryLimit));
        now.memoryLimits = {limit};
    }
    const auto limitsOf = [](const PartitionOptions& options) {
        return placesOf(options, {Bytes::max(), {}}).memoryLimits;
    };
    const bool isChosenForOthers = !asMade.isAsMade || limitsOf(now) != limitsOf(saved) ||
                                   now.microbatches != saved.microbatches || now.schedule != saved.schedule;
    if (isChosenForOthers && flags.plan.recompute.empty() && choosesAny(now.recompute) &&
        !now.recompute.regions.regions.empty()) {
        now.recompute.regions = {};
        notes.push_back("what is recomputed as memory demands (auto) is chosen anew, as microbatches, "
                        "schedule, memory limit, device or profile are others than in the plan; --recompute "
                        "plan keeps it");
    }
    if (now.deviceCount() != saved.deviceCount())
        notes.push_back("the plan's stages stay as they are: " + std::to_string(now.stageCount) + " on " +
                        std::to_string(now.deviceCount()) + " devices, where it was made for " +
                        std::to_string(saved.deviceCount()));
    STAGECRAFT_TRY(checkOptions(now));
    return now;
}

struct LaidFile
{
    AppliedPlan plan;
    std::optional<MadeFor> madeFor;
};

Result<PlanFile> planFileOf(const PlanSourceFlags& flags)
{
    return flags.plannedBefore ? *flags.plannedBefore : readPlan(flags.planFile);
}

void keepChangedRegions(const Model& model, const std::string& recompute, AppliedPlan& applied)
{
    const std::string note = changedRegionsNote(model, applied);
    if (note.empty())
        return;
    RecomputePolicy& policy = applied.options.recompute;
    if (recompute == "plan")
        policy = {.kind = RecomputeKind::Plan, .regions = std::move(policy.regions)};
    else if (recompute.empty())
        applied.notes.push_back(note + "; --recompute plan keeps them");
}

// Laid on the model; a note says if that is another than the plan was made for.
Result<AppliedPlan> appliedTo(const Model& model, const PlanFile& file)
{
    STAGECRAFT_ASSIGN(applied, applyPlan(file, model.graph));
    applied.notes.insert(applied.notes.begin(), model.provenance.notes.begin(), model.provenance.notes.end());
    if (std::string note = changedModelNote(file, model.provenance.path); !note.empty())
        applied.notes.insert(applied.notes.begin(), std::move(note));
    return applied;
}

Result<LaidFile> laidOn(const Model& model, PlanFile file, const std::string& recompute)
{
    STAGECRAFT_ASSIGN(applied, appliedTo(model, file));
    keepChangedRegions(model, recompute, applied);
    return LaidFile{std::move(applied), std::move(file.madeFor)};
}

Result<LaidPlan> laidPlan(const Model& model, const CLI::App& command, const ProfileFlags& profile,
                          PlanFile file, const std::string& recompute)
{
    STAGECRAFT_ASSIGN(laid, laidOn(model, std::move(file), recompute));
    AppliedPlan& applied = laid.plan;
    STAGECRAFT_ASSIGN(asMade, flagsOfPlan(command, profile, laid.madeFor));
    RecomputePolicy& policy = applied.options.recompute;
    const std::string planned = printPolicy(policy);
    STAGECRAFT_TRY(readRecompute(recompute, model, policy));
    withoutBackward(asMade.flags, recompute, policy, applied.notes);
    STAGECRAFT_TRY(checkOptions(applied.options));
    auto stages = nodeStages(applied.partition);
    // A plan that chose and has no region runs nothing again.
    const bool hasChosenNothing =
        choosesAny(policy) && policy.regions.regions.empty() && printPolicy(policy) == planned;
    STAGECRAFT_ASSIGN(
        runs, recomputedModel(model, hasChosenNothing ? RecomputePolicy{.kind = RecomputeKind::None} : policy,
                              stages.get(), applied.notes));
    return LaidPlan{std::move(runs), std::move(applied), std::move(stages), std::move(asMade)};
}

Result<ChosenPlan> fromPlanFile(const Model& model, ChosenPlan chosen, const PlanSourceFlags& flags,
                                const Progress& progress)
{
    STAGECRAFT_ASSIGN(file, planFileOf(flags));
    STAGECRAFT_ASSIGN(laid, laidOn(model, std::move(file), flags.plan.recompute));
    AppliedPlan& applied = laid.plan;
    chosen.notes.insert(chosen.notes.end(), applied.notes.begin(), applied.notes.end());
    STAGECRAFT_ASSIGN(asMade, flagsOfPlan(*flags.command, flags.profile, laid.madeFor));
    STAGECRAFT_ASSIGN(options, optionsNow(model, applied.options, flags, asMade, chosen.notes));
    chosen.notes.insert(chosen.notes.end(), asMade.notes.begin(), asMade.notes.end());
    chosen.profileFlags = asMade.flags;
    STAGECRAFT_ASSIGN(device, namedDevice(chosen.profileFlags.device));
    STAGECRAFT_ASSIGN(placed, placedOn(device, model, std::move(options), chosen.profileFlags, flags.plan,
                                       &asMade, chosen, progress));
    chosen.madeFor = std::move(placed.madeFor);
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    STAGECRAFT_ASSIGN(planned, evaluateRecomputedPlan(shared(model), std::move(placed.options),
                                                      std::move(applied.partition), profiler, progress));
    take(std::move(planned), chosen);
    return chosen;
}

Result<ChosenPlan> fromSplitPoints(const Model& model, ChosenPlan chosen, const PartitionOptions& options,
                                   const std::vector<SplitPoint>& points, const Profiler& profiler,
                                   const Progress& progress)
{
    STAGECRAFT_ASSIGN(posed, recomputedProblem(shared(model), options, profiler, nullptr, progress));
    STAGECRAFT_ASSIGN(partition, splitAt(model.graph, posed.problem, points));
    for (std::string& note : movedBoundaries(model.graph, posed.problem, points, partition))
        chosen.notes.push_back(std::move(note));
    if (options.recompute.kind == RecomputeKind::Model && ownPlan(model.graph).regions.empty()) {
        STAGECRAFT_ASSIGN(solution, evaluatePlan(posed.problem, std::move(partition), progress));
        take({std::move(posed), {std::move(solution), {}}}, chosen);
        return chosen;
    }
    STAGECRAFT_ASSIGN(
        planned, evaluateRecomputedPlan(shared(model), options, std::move(partition), profiler, progress));
    take(std::move(planned), chosen);
    return chosen;
}

Result<ChosenPlan> fromSearch(const Model& model, ChosenPlan chosen, const PartitionOptions& options,
                              const Profiler& profiler, const Progress& progress)
{
    // A limit that was asked for is kept or refused; the device's own is only a warning.
    const OverLimit overLimit = chosen.limitIsOfDevice ? OverLimit::Taken : OverLimit::Refused;
    STAGECRAFT_ASSIGN(planned, findRecomputedPlan(shared(model), options, profiler, overLimit, progress));
    take(std::move(planned), chosen);
    if (progress.stopRequested())
        chosen.notes.push_back("the search was stopped: this is the best plan that it had found");
    return chosen;
}

Result<ChosenPlan> planFor(const Model& model, const PlanSourceFlags& flags, const Progress& progress)
{
    STAGECRAFT_TRY(checkSource(flags));
    const Progress inTime = searchWithin(flags.plan, progress);
    ChosenPlan chosen;
    if (!flags.planFile.empty())
        return fromPlanFile(model, std::move(chosen), flags, progress);
    chosen.notes = model.provenance.notes;
    STAGECRAFT_ASSIGN(points, splitPoints(model, flags, chosen.notes));
    STAGECRAFT_ASSIGN(options, optionsAsked(flags, points));
    STAGECRAFT_TRY(addConstraints(flags.plan, model.graph, options));
    STAGECRAFT_TRY(readRecompute(flags.plan.recompute, model, options.recompute));
    withoutBackward(flags.profile, flags.plan.recompute, options.recompute, chosen.notes);
    chosen.profileFlags = flags.profile;
    STAGECRAFT_ASSIGN(device, namedDevice(flags.profile.device));
    STAGECRAFT_ASSIGN(profiler, profilerOf(flags.profile, progress));
    STAGECRAFT_ASSIGN(placed, placedOn(device, model, std::move(options), flags.profile, flags.plan, nullptr,
                                       chosen, progress));
    chosen.madeFor = std::move(placed.madeFor);
    options = std::move(placed.options);
    if (!points.empty())
        return fromSplitPoints(model, std::move(chosen), options, points, profiler, progress);
    return fromSearch(model, std::move(chosen), options, profiler, inTime);
}

// What all plans that are compared are asked for.
Result<PartitionOptions> comparedOptions(const Model& model, const PlanSourceFlags& flags,
                                         std::vector<std::string>& notes, const Progress& progress)
{
    if (!flags.planFile.empty() || givesBoundaries(flags))
        return Error{ErrorCode::BadUsage, "a plan or boundaries that are given leave nothing to compare"};
    STAGECRAFT_TRY(checkSource(flags));
    STAGECRAFT_ASSIGN(options, planOptions(flags.plan));
    STAGECRAFT_TRY(addConstraints(flags.plan, model.graph, options));
    STAGECRAFT_TRY(readRecompute(flags.plan.recompute, model, options.recompute));
    withoutBackward(flags.profile, flags.plan.recompute, options.recompute, notes);
    STAGECRAFT_ASSIGN(device, namedDevice(flags.profile.device));
    ChosenPlan unsolved;
    STAGECRAFT_ASSIGN(placed, placedOn(device, model, std::move(options), flags.profile, flags.plan, nullptr,
                                       unsolved, progress));
    if (!placed.options.recompute.ofStages.empty())
        return Error{ErrorCode::BadUsage, "--recompute " + printPolicy(placed.options.recompute) +
                                              ": single stages are those of one plan; here several are "
                                              "compared"};
    return std::move(placed.options);
}

Result<PosedQuestion> questionFor(const Model& model, const PlanSourceFlags& flags, const Progress& progress)
{
    std::vector<std::string> notes;
    STAGECRAFT_ASSIGN(options, comparedOptions(model, flags, notes, progress));
    if (options.recompute.kind == RecomputeKind::Auto)
        notes.emplace_back("all plans that are compared recompute every block: auto decides for one plan");
    if (options.recompute.kind == RecomputeKind::Model ? !ownPlan(model.graph).regions.empty()
                                                       : options.recompute.kind != RecomputeKind::None)
        notes.emplace_back("what is recomputed counts as if no boundary parted a region; partition --stages "
                           "N has the figures of one plan as its boundaries part them");
    STAGECRAFT_ASSIGN(profiler, profilerOf(flags.profile, progress));
    STAGECRAFT_ASSIGN(posed, recomputedProblem(shared(model), options, profiler, nullptr, progress));
    notes.insert(notes.end(), posed.notes.begin(), posed.notes.end());
    if (std::string note = exportRelaysNote(posed.problem.options); !note.empty())
        notes.push_back(std::move(note));
    return PosedQuestion{std::move(posed.problem), std::move(notes)};
}

Result<ComparedPlans> comparedPlans(const Model& model, const PlanSourceFlags& flags,
                                    const Progress& progress)
{
    std::vector<std::string> notes;
    STAGECRAFT_ASSIGN(options, comparedOptions(model, flags, notes, progress));
    if (std::string note = exportRelaysNote(options); !note.empty())
        notes.push_back(std::move(note));
    const PipelineRuntime runtime = options.runtime;
    STAGECRAFT_ASSIGN(profiler, profilerOf(flags.profile, progress));
    STAGECRAFT_ASSIGN(compared, recomputedTradeOffs(shared(model), std::move(options), profiler,
                                                    withinLimit(flags.plan, progress)));
    notes.insert(notes.end(), compared.notes.begin(), compared.notes.end());
    return ComparedPlans{std::move(compared.plans), runtime, std::move(notes)};
}

// Errors of the person's options and other files speak of these, the rest of the model's file.
Error named(const Model& model, const PlanSourceFlags& flags, const Error& error)
{
    const auto isOf = [&](std::string_view file) {
        return !file.empty() && error.message.starts_with(printable(file) + ':');
    };
    const ProfileFlags& profile = flags.profile;
    const bool isOfModel = !isOf(flags.planFile) && !isOf(flags.splitSpec) &&
                           !isOf(policyOfAll(flags.plan.recompute)) && !isOf(profile.device) &&
                           !isOf(profile.times) && !isOf(profile.substitutes);
    if (isOfModel && error.code != ErrorCode::BadUsage && error.code != ErrorCode::Cancelled)
        return {error.code, model.provenance.path.string() + ": " + error.message};
    return error;
}

} // namespace

Result<Profiler> profilerOf(const ProfileFlags& flags, const Progress& progress)
{
    STAGECRAFT_ASSIGN(wanted, profileOptions(flags));
    return Profiler([wanted, flags, progress](const Model& model, std::shared_ptr<const NodeStages> parts) {
        ProfileOptions options = wanted;
        options.parts = std::move(parts);
        return makeProfile(model, options, flags, progress);
    });
}

void addPlanSourceFlags(CLI::App& command, PlanSourceFlags& flags, PlanFileFlag planFile)
{
    flags.command = &command;
    addProfileFlags(command, flags.profile);
    addPlanFlags(command, flags.plan);
    if (planFile == PlanFileFlag::Offered)
        command.add_option("--plan", flags.planFile, "A plan that was saved before (*.stagecraft)")
            ->type_name("FILE");
    addEach(command, "--split-before", flags.splitBefore, "NAME", "A module or node that begins a stage");
    addEach(command, "--split-after", flags.splitAfter, "NAME", "A module or node that ends a stage");
    command
        .add_option("--split-spec", flags.splitSpec,
                    "Boundaries as torch.distributed.pipelining takes them: {\"module\": \"beginning\" or "
                    "\"end\"}")
        ->type_name("FILE.json");
    command.add_flag("--split-at-marks", flags.splitAtMarks,
                     "Cut at the pipe_split() calls of the model; usual for a model that has some, unless "
                     "--stages or another option says how to cut");
}

Result<ChosenPlan> choosePlan(const Model& model, const PlanSourceFlags& flags, const Progress& progress)
{
    Result<ChosenPlan> plan = planFor(model, flags, progress);
    if (!plan.has_value())
        return named(model, flags, plan.error());
    return plan;
}

Result<void> takePartition(const Model& model, Solution solution, ChosenPlan& chosen,
                           const Progress& progress)
{
    PartitionOptions options = chosen.problem.options;
    const RecomputePolicy& policy = options.recompute;
    const bool isSame = solution.partition == chosen.solution.partition;
    if (isSame && (choosesAny(policy) || !policy.ofStages.empty()))
        return {}; // as it was, with the bound of all plans: that of `solution` is of these regions
    const bool hasNoRegions = policy.kind == RecomputeKind::Model && ownPlan(model.graph).regions.empty();
    if (hasNoRegions || isSame) {
        chosen.solution = std::move(solution);
        return {};
    }
    if (options.recompute.kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    STAGECRAFT_ASSIGN(planned, evaluateRecomputedPlan(shared(model), std::move(options),
                                                      std::move(solution.partition), profiler, progress));
    chosen.notes.resize(chosen.sourceNotes); // the others are of the plan that was
    take(std::move(planned), chosen);
    return {};
}

Result<PosedQuestion> planQuestion(const Model& model, const PlanSourceFlags& flags, const Progress& progress)
{
    Result<PosedQuestion> question = questionFor(model, flags, progress);
    if (!question.has_value())
        return named(model, flags, question.error());
    return question;
}

Result<ComparedPlans> tradeOffsFor(const Model& model, const PlanSourceFlags& flags, const Progress& progress)
{
    Result<ComparedPlans> plans = comparedPlans(model, flags, progress);
    if (!plans.has_value())
        return named(model, flags, plans.error());
    return plans;
}

Result<void> searchAnew(const Model& model, PartitionOptions options, double shareOfTime, ChosenPlan& chosen,
                        const Progress& progress)
{
    if (options.recompute.kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    options.timeLimit = options.timeLimit * shareOfTime;
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    STAGECRAFT_ASSIGN(
        planned, findRecomputedPlan(shared(model), std::move(options), profiler, OverLimit::Taken, progress));
    chosen.notes.resize(chosen.sourceNotes);
    take(std::move(planned), chosen);
    return {};
}

Result<AppliedPlan> cutsOfPlanFile(const Model& model, const std::string& planFile)
{
    STAGECRAFT_ASSIGN(file, readPlan(planFile));
    STAGECRAFT_ASSIGN(applied, appliedTo(model, file));
    return applied;
}

Result<PlanSourceFlags> withPlanFileRead(PlanSourceFlags flags)
{
    STAGECRAFT_TRY(checkSource(flags));
    STAGECRAFT_ASSIGN(file, readPlan(flags.planFile));
    flags.plannedBefore = std::make_shared<const PlanFile>(std::move(file));
    return flags;
}

Result<LaidPlan> laidPlanFile(const Model& model, const CLI::App& command, const ProfileFlags& profile,
                              const std::string& planFile, const std::string& recompute)
{
    STAGECRAFT_ASSIGN(file, readPlan(planFile));
    return laidPlan(model, command, profile, std::move(file), recompute);
}

Result<LaidPlan> laidPlanFile(const Model& model, const PlanSourceFlags& flags)
{
    STAGECRAFT_TRY(checkSource(flags));
    STAGECRAFT_ASSIGN(file, planFileOf(flags));
    return laidPlan(model, *flags.command, flags.profile, std::move(file), flags.plan.recompute);
}

Result<bool> choosesAnew(const Model& model, const PlanSourceFlags& flags)
{
    STAGECRAFT_TRY(checkSource(flags));
    STAGECRAFT_ASSIGN(file, planFileOf(flags));
    STAGECRAFT_ASSIGN(laid, laidOn(model, std::move(file), flags.plan.recompute));
    STAGECRAFT_ASSIGN(asMade, flagsOfPlan(*flags.command, flags.profile, laid.madeFor));
    std::vector<std::string> unsaid;
    STAGECRAFT_ASSIGN(now, optionsNow(model, laid.plan.options, flags, asMade, unsaid));
    return choosesAny(now.recompute) && now.recompute.regions.regions.empty();
}

std::vector<std::string> notesOnPlan(const ChosenPlan& chosen)
{
    return planNotes(chosen.model->graph, chosen.profile, chosen.problem, chosen.solution.partition);
}

void printNotes(const std::vector<std::string>& notes)
{
    for (const std::string& note : notes)
        std::cerr << "note: " << note << '\n';
}

} // namespace stagecraft::cli
