#include "cli/plan_source.h"

#include "cli/option_checks.h"
#include "cli/plan_devices.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/base/typed_figures.h"
#include "core/plan/plan_notes.h"
#include "core/plan/sources/plan_file.h"
#include "core/plan/split_spec.h"
#include "core/recompute/policies.h"

#include <iostream>

namespace stagecraft::cli {

namespace {

constexpr Bytes mostSpecText(std::int64_t{16} << 20);

std::vector<SplitPoint> splitPoints(const PlanSourceFlags& flags)
{
    std::vector<SplitPoint> points;
    for (const std::string& name : flags.splitBefore)
        points.push_back({name, SplitPoint::Side::Before});
    for (const std::string& name : flags.splitAfter)
        points.push_back({name, SplitPoint::Side::After});
    return points;
}

bool givesBoundaries(const PlanSourceFlags& flags)
{
    return !flags.splitBefore.empty() || !flags.splitAfter.empty() || !flags.splitSpec.empty() ||
           flags.splitAtMarks;
}

// The first option given that a search would keep to; null where there is none.
const char* givenConstraint(const PlanSourceFlags& flags)
{
    for (const char* option :
         {"--stages", "--pin", "--keep-together", "--keep-class", "--keep-depth", "--never-cut"})
        if (flags.command->count(option) > 0)
            return option;
    return nullptr;
}

// Where to cut is the plan's to say.
Result<void> checkSource(const PlanSourceFlags& flags)
{
    if (flags.planFile.empty() && policyOfAll(flags.plan.recompute) == "plan")
        return Error{ErrorCode::BadUsage, "--recompute " + flags.plan.recompute +
                                              ": there is no plan whose regions are meant; --plan FILE or "
                                              "--recompute FILE.stagecraft names one"};
    if (flags.planFile.empty())
        return {};
    if (givesBoundaries(flags))
        return Error{
            ErrorCode::BadUsage,
            "--plan and --split-before, --split-after, --split-spec or --split-at-marks exclude each "
            "other"};
    if (const char* option = givenConstraint(flags))
        return Error{ErrorCode::BadUsage,
                     std::string(option) + ": " + flags.planFile + " already says where to cut"};
    return {};
}

// Is anything said of where to cut, or into how many stages?
bool saysHowToCut(const PlanSourceFlags& flags)
{
    return givenConstraint(flags) || flags.plan.counts.devices || flags.plan.counts.perDevice ||
           !flags.splitBefore.empty() || !flags.splitAfter.empty() || !flags.splitSpec.empty();
}

// What is asked of the plan, as far as no model is needed: boundaries that are given say how many stages.
Result<PartitionOptions> optionsAsked(const PlanSourceFlags& flags, const std::vector<SplitPoint>& points)
{
    PlanFlags asked = flags.plan;
    std::optional<std::size_t>& stages = asked.counts.stages;
    if (!points.empty() && stages.value_or(stagesOfSplit(points)) != stagesOfSplit(points))
        return Error{ErrorCode::BadUsage, "--stages " + std::to_string(*stages) +
                                              ": the boundaries that are given make " +
                                              std::to_string(stagesOfSplit(points))};
    if (!points.empty())
        stages = stagesOfSplit(points);
    return planOptions(asked);
}

// With the model's own marks, where they are asked for or nothing else is.
Result<std::vector<SplitPoint>> splitPoints(const Model& model, const PlanSourceFlags& flags,
                                            std::vector<std::string>& notes)
{
    std::vector<SplitPoint> points = splitPoints(flags);
    if (!flags.splitSpec.empty()) {
        STAGECRAFT_ASSIGN(text, readTextFile(flags.splitSpec, mostSpecText));
        STAGECRAFT_ASSIGN(spec, splitPointsOfSpec(model.graph, text, flags.splitSpec));
        points.insert(points.end(), spec.begin(), spec.end());
    }
    const std::vector<SplitPoint> marks = markedSplit(model.graph);
    const std::string count = std::to_string(marks.size()) + (marks.size() == 1 ? " mark" : " marks");
    if (flags.splitAtMarks && marks.empty())
        return Error{ErrorCode::BadUsage,
                     "--split-at-marks: the model has no marks; pipe_split() makes one when it is exported"};
    if (marks.empty())
        return points;
    if (flags.splitAtMarks) {
        points.insert(points.end(), marks.begin(), marks.end());
        return points;
    }
    if (saysHowToCut(flags)) {
        notes.push_back("the model's " + count +
                        " (pipe_split) are not followed; --split-at-marks cuts there");
        return points;
    }
    if (const Result<PartitionOptions> options = optionsAsked(flags, marks); !options.has_value()) {
        notes.push_back("the model's " + count +
                        " (pipe_split) are not followed: " + options.error().message);
        return points;
    }
    notes.push_back("split at the model's " + count +
                    " (pipe_split); --stages N searches for the best split");
    return marks;
}

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

// Laid on the model; a note says if that is another than the plan was made for.
Result<LaidFile> laidOn(const Model& model, const std::string& planFile)
{
    STAGECRAFT_ASSIGN(file, readPlan(planFile));
    STAGECRAFT_ASSIGN(applied, applyPlan(file, model.graph));
    applied.notes.insert(applied.notes.begin(), model.provenance.notes.begin(), model.provenance.notes.end());
    if (std::string note = changedModelNote(file, model.provenance.path); !note.empty())
        applied.notes.insert(applied.notes.begin(), std::move(note));
    return LaidFile{std::move(applied), std::move(file.madeFor)};
}

Result<ChosenPlan> fromPlanFile(const Model& model, ChosenPlan chosen, const PlanSourceFlags& flags,
                                const Progress& progress)
{
    STAGECRAFT_ASSIGN(laid, laidOn(model, flags.planFile));
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
    if (options.recompute.kind == RecomputeKind::Model) {
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

Result<PartitionProblem> questionFor(const Model& model, const PlanSourceFlags& flags,
                                     const Progress& progress)
{
    if (!flags.planFile.empty() || givesBoundaries(flags))
        return Error{ErrorCode::BadUsage, "a plan or boundaries that are given leave nothing to compare"};
    STAGECRAFT_TRY(checkSource(flags));
    STAGECRAFT_ASSIGN(options, planOptions(flags.plan));
    STAGECRAFT_TRY(addConstraints(flags.plan, model.graph, options));
    STAGECRAFT_TRY(readRecompute(flags.plan.recompute, model, options.recompute));
    STAGECRAFT_ASSIGN(device, namedDevice(flags.profile.device));
    STAGECRAFT_ASSIGN(profiler, profilerOf(flags.profile, progress));
    ChosenPlan unsolved;
    STAGECRAFT_ASSIGN(placed, placedOn(device, model, std::move(options), flags.profile, flags.plan, nullptr,
                                       unsolved, progress));
    options = std::move(placed.options);
    if (!options.recompute.ofStages.empty())
        return Error{ErrorCode::BadUsage, "--recompute " + printPolicy(options.recompute) +
                                              ": single stages are those of one plan; here several are "
                                              "compared"};
    if (options.recompute.kind == RecomputeKind::Auto)
        printNotes({"all plans that are compared recompute every block: auto decides for one plan"});
    STAGECRAFT_ASSIGN(posed, recomputedProblem(shared(model), options, profiler, nullptr, progress));
    printNotes(posed.notes);
    return std::move(posed.problem);
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

Result<void> readRecompute(const std::string& text, const Model& model, RecomputePolicy& policy)
{
    if (text.empty() || text == "plan")
        return {};
    std::string wanted = text;
    if (const std::string file(policyOfAll(text)); file.ends_with(".stagecraft")) {
        STAGECRAFT_ASSIGN(plan, readPlan(file));
        STAGECRAFT_ASSIGN(applied, applyPlan(plan, model.graph));
        policy = {.kind = RecomputeKind::Plan, .regions = applied.options.recompute.regions};
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
    if (policy.kind == RecomputeKind::Model || isSame) {
        chosen.solution = std::move(solution);
        return {};
    }
    if (options.recompute.kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    STAGECRAFT_ASSIGN(planned, evaluateRecomputedPlan(shared(model), std::move(options),
                                                      std::move(solution.partition), profiler, progress));
    chosen.notes.clear();
    take(std::move(planned), chosen);
    return {};
}

Result<PartitionProblem> planQuestion(const Model& model, const PlanSourceFlags& flags,
                                      const Progress& progress)
{
    Result<PartitionProblem> question = questionFor(model, flags, progress);
    if (!question.has_value())
        return named(model, flags, question.error());
    return question;
}

Result<std::shared_ptr<const Model>> recomputedModel(const Model& model, const RecomputePolicy& policy,
                                                     const NodeStages* stages,
                                                     std::vector<std::string>& notes)
{
    if (policy.kind == RecomputeKind::Model)
        return shared(model);
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
    return std::make_shared<const Model>(withPlan(model, plan.plan));
}

Result<LaidPlan> laidPlanFile(const Model& model, const std::string& planFile, const std::string& recompute)
{
    STAGECRAFT_ASSIGN(laid, laidOn(model, planFile));
    AppliedPlan& applied = laid.plan;
    STAGECRAFT_TRY(readRecompute(recompute, model, applied.options.recompute));
    STAGECRAFT_TRY(checkOptions(applied.options));
    auto stages = nodeStages(applied.partition);
    STAGECRAFT_ASSIGN(runs, recomputedModel(model, applied.options.recompute, stages.get(), applied.notes));
    return LaidPlan{std::move(runs), std::move(applied), std::move(stages), std::move(laid.madeFor)};
}

Result<LaidPlan> laidPlanFile(const Model& model, const PlanSourceFlags& flags)
{
    STAGECRAFT_TRY(checkSource(flags));
    return laidPlanFile(model, flags.planFile, flags.plan.recompute);
}

Result<std::vector<std::string>> notesOnPlan(const ChosenPlan& chosen, const Progress& progress)
{
    const Model& model = *chosen.model;
    const Partition& partition = chosen.solution.partition;
    // The search may have been stopped in good time: the plan that it had found is still told of.
    const Progress untilDone = progress.stopRequested() ? Progress() : progress;
    STAGECRAFT_ASSIGN(asCut, costWithRegionsCut(model, chosen.profile, chosen.problem, partition, untilDone));
    return planNotes(model.graph, chosen.profile, chosen.problem, partition, asCut);
}

void printNotes(const std::vector<std::string>& notes)
{
    for (const std::string& note : notes)
        std::cerr << "note: " << note << '\n';
}

} // namespace stagecraft::cli
