#include "cli/command.h"
#include "cli/given_cuts.h"
#include "cli/improved_plan.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/region_texts.h"
#include "core/advise/advice_text.h"
#include "core/advise/curve_text.h"
#include "core/advise/trade_offs.h"
#include "core/plan/device_kinds.h"
#include "core/plan/sources/instance.h"
#include "core/plan/sources/model_parts.h"
#include "core/plan/sources/partition_json.h"
#include "core/plan/sources/plan_file.h"
#include "core/workflow.h"

#include <algorithm>
#include <chrono>
#include <iostream>

namespace stagecraft::cli {
namespace {

struct PartitionCommandOptions
{
    ModelOption input;
    PlanSourceFlags source;
    std::string output;
    bool json = false;
    bool curve = false;
    bool advise = false;
    bool tradeOffs = false;
    bool improve = false;
    std::vector<std::size_t> keepStages;
    std::vector<std::size_t> keepBoundaries;
    std::size_t mostStages = 16;
};

// Notes are said at once, and stand in the JSON, too, which may go on without what was said beside it.
void say(const std::vector<std::string>& notes, std::vector<std::string>& said)
{
    printNotes(notes);
    said.insert(said.end(), notes.begin(), notes.end());
}

void printWith(const std::vector<std::string>& notes, nlohmann::ordered_json document)
{
    document["notes"] = notes;
    printJson(document);
}

// What was looked at is not shown as all there is.
void sayIfLate(const Progress& progress, std::vector<std::string>& said)
{
    if (progress.isLate())
        say({"the time was over before all was looked at; a longer --time-limit finds more"}, said);
}

bool keepsParts(const PartitionCommandOptions& options)
{
    return !options.keepStages.empty() || !options.keepBoundaries.empty();
}

// The plan, or why it is no faster, and what it recomputes.
Result<void> print(const PartitionCommandOptions& options, const PartitionProblem& problem,
                   const Solution& solution, std::vector<NamedNodes> parts,
                   const std::vector<StageRecomputation>& stages, const RecomputationExplained& recomputed,
                   std::vector<std::string> said, const Progress& progress)
{
    const std::string text = partitionText(problem, solution) + recomputationText(stages);
    if (!options.advise && !options.json)
        std::cout << text;
    if (!options.advise && options.json) {
        nlohmann::ordered_json document = nlohmann::ordered_json::parse(partitionJson(problem, solution));
        document["recomputation"] = recomputationJson(stages);
        printWith(said, std::move(document));
    }
    if (!options.advise)
        return {};
    // What bounds the plans that keep something does not bound the others.
    STAGECRAFT_ASSIGN(advised, keepsParts(options) ? evaluatePlan(problem, solution.partition, progress)
                                                   : Result<Solution>(solution));
    STAGECRAFT_ASSIGN(advice, advisePlan(problem, advised, {.parts = std::move(parts)}, progress));
    sayIfLate(progress, said);
    if (!stages.empty())
        say({"what would help is reckoned with what is recomputed as it is"}, said);
    if (!options.json)
        std::cout << text << '\n';
    if (!options.json) {
        std::cout << adviceText(problem, advice.report, advice.suggestions);
        if (!recomputed.text.empty())
            std::cout << '\n' << recomputed.text;
        return {};
    }
    nlohmann::ordered_json document =
        nlohmann::ordered_json::parse(adviceJson(problem, advice.report, advice.suggestions));
    document["recomputation"] = recomputed.json;
    printWith(said, std::move(document));
    return {};
}

Result<void> printCurve(const PartitionCommandOptions& options, const PartitionProblem& problem,
                        std::vector<std::string> said, const Progress& progress)
{
    const PlanFlags& plan = options.source.plan;
    const Seconds passed(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - plan.begin).count());
    const CurveOptions wanted{.lastStageCount = options.mostStages,
                              .timeLimit = std::max(Seconds(0), Seconds(plan.timeLimit) - passed)};
    STAGECRAFT_ASSIGN(curve, solveCurve(problem, wanted, {}, progress));
    if (plan.counts.stages)
        say({"the curve is of every number of stages up to " + std::to_string(options.mostStages) +
             " (--most-stages); --stages " + std::to_string(*plan.counts.stages) + " is left out"},
            said);
    if (options.json)
        printWith(said, nlohmann::ordered_json::parse(curveJson(curve)));
    else
        std::cout << curveText(curve);
    if (progress.stopRequested())
        return cancelled();
    return {};
}

void printTradeOffs(const PartitionCommandOptions& options, const std::vector<TradeOff>& plans,
                    PipelineRuntime runtime, std::vector<std::string> said, const Progress& progress)
{
    sayIfLate(progress, said);
    if (options.json)
        printWith(said, nlohmann::ordered_json::parse(tradeOffsJson(plans, runtime)));
    else
        std::cout << tradeOffsText(plans, runtime);
}

// Instances allow empty stages ("at most K").
Result<void> partitionInstance(const PartitionCommandOptions& options, const Progress& progress)
{
    if (!options.output.empty())
        return Error{ErrorCode::BadUsage, options.input.file + ": only plans of models can be saved with -o"};
    if (!options.source.plan.recompute.empty())
        return Error{ErrorCode::BadUsage,
                     options.input.file + ": only models can be recomputed (--recompute)"};
    if (!options.input.program.empty())
        return Error{ErrorCode::BadUsage, options.input.file + ": only models hold programs (--program)"};
    if (!options.input.inputs.empty())
        return Error{ErrorCode::BadUsage, options.input.file + ": only models have inputs (--input)"};
    if (options.improve || keepsParts(options))
        return Error{ErrorCode::BadUsage,
                     options.input.file + ": only plans of models are improved (--improve)"};
    const Progress limited = withinLimit(options.source.plan, progress);
    STAGECRAFT_ASSIGN(wanted, planOptions(options.source.plan, LimitOf::Instance));
    wanted.emptyStages = EmptyStages::Allow;
    STAGECRAFT_ASSIGN(instance, readInstance(options.input.file, wanted));
    STAGECRAFT_TRY(addConstraints(options.source.plan, instance.problem));
    if (options.curve)
        return printCurve(options, instance.problem, {}, limited);
    if (options.tradeOffs) {
        STAGECRAFT_ASSIGN(plans, tradeOffs(instance.problem, limited));
        printTradeOffs(options, plans, instance.problem.options.runtime, {}, limited);
        return {};
    }
    STAGECRAFT_ASSIGN(found, findPlan(instance.problem, {.overLimit = OverLimit::Refused},
                                      searchWithin(options.source.plan, progress)));
    return print(options, instance.problem, found.solution, {}, {}, {}, {}, limited);
}

Result<void> savePlan(const PartitionCommandOptions& options, const Model& model, const ChosenPlan& chosen)
{
    STAGECRAFT_ASSIGN(hash, fileSha256(options.input.file));
    PartitionOptions asked = chosen.problem.options;
    if (chosen.limitIsOfDevice && chosen.madeFor.stageDevices.empty())
        asked.memoryLimits.clear(); // another device has another
    STAGECRAFT_ASSIGN(device, namedDevice(chosen.profileFlags.device));
    const UsualPlace usual = usualPlace(device);
    if (std::ranges::all_of(asked.links, [&](const Link& link) { return link == usual.link; }))
        asked.links.clear(); // and others
    STAGECRAFT_ASSIGN(fingerprint, contentFingerprint(options.input.file));
    PlanFile plan =
        makePlanFile({options.input.file, hash, fingerprint}, model.graph, chosen.solution.partition, asked);
    plan.madeFor = chosen.madeFor;
    return writePlan(plan, options.output);
}

// Improving wants a plan that is there: nothing is better than one that is searched for.
Result<void> checkImproves(const PartitionCommandOptions& options, const Model& model)
{
    if (!options.improve && keepsParts(options))
        return Error{ErrorCode::BadUsage, "--keep-stage and --keep-boundary say what --improve leaves alone"};
    if (!options.improve || !options.source.planFile.empty())
        return {};
    std::vector<std::string> ignored;
    STAGECRAFT_ASSIGN(given, splitPoints(model, options.source, ignored));
    if (given.empty())
        return Error{ErrorCode::BadUsage, "--improve goes on from a plan that is there: name it with --plan, "
                                          "or cut with --split-before, --split-after or --split-spec"};
    return {};
}

// The given plan, or where asked for, the best one around what is to be kept of it.
Result<void> improve(const PartitionCommandOptions& options, const Model& model, ChosenPlan& chosen,
                     const Progress& progress)
{
    if (!options.improve)
        return {};
    const std::size_t stages = chosen.problem.stageCount();
    KeptParts kept;
    for (const std::size_t stage : options.keepStages) {
        if (stage >= stages)
            return Error{ErrorCode::BadUsage, "--keep-stage " + std::to_string(stage) +
                                                  ": the stages are 0 to " + std::to_string(stages - 1)};
        kept.stages.push_back(StageId(stage));
    }
    for (const std::size_t boundary : options.keepBoundaries) {
        if (boundary + 1 >= stages)
            return Error{ErrorCode::BadUsage,
                         "--keep-boundary " + std::to_string(boundary) + ": there is none behind that stage"};
        kept.boundaries.push_back(BoundaryId(boundary));
    }
    chosen.problem.options.timeLimit = Seconds(options.source.plan.timeLimit);
    STAGECRAFT_TRY(improvePlan(model, kept, chosen, progress));
    if (keepsParts(options))
        chosen.notes.push_back("the bounds are of plans that keep what is to be kept");
    return {};
}

Result<void> partitionModel(const PartitionCommandOptions& options, const Progress& progress)
{
    const Progress limited = withinLimit(options.source.plan, progress);
    STAGECRAFT_ASSIGN(model, openedModel(options.input, progress));
    STAGECRAFT_TRY(checkImproves(options, model));
    if (options.curve) {
        STAGECRAFT_ASSIGN(question, planQuestion(model, options.source, progress));
        printNotes(question.notes);
        return printCurve(options, question.problem, question.notes, limited);
    }
    if (options.tradeOffs) {
        STAGECRAFT_ASSIGN(compared, tradeOffsFor(model, options.source, progress));
        printNotes(compared.notes);
        printTradeOffs(options, compared.plans, compared.runtime, compared.notes, limited);
        return {};
    }
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, options.source, progress));
    STAGECRAFT_TRY(improve(options, model, chosen, searchWithin(options.source.plan, progress)));
    if (!options.output.empty())
        STAGECRAFT_TRY(savePlan(options, model, chosen));
    std::vector<std::string> said;
    say(chosen.notes, said);
    say(notesOnPlan(chosen), said);
    STAGECRAFT_ASSIGN(recomputed, planRecomputation(model, chosen, progress));
    say(recomputed.notes, said);
    RecomputationExplained explained;
    if (options.advise) {
        STAGECRAFT_ASSIGN(found, explainRecomputation(model, chosen, recomputed, limited));
        explained = std::move(found);
    }
    return print(options, chosen.problem, chosen.solution, partsOfModel(model.graph), recomputed.stages,
                 explained, std::move(said), limited);
}

Result<void> partition(const PartitionCommandOptions& given, const Progress& progress)
{
    PartitionCommandOptions options = given;
    if (options.advise)
        options.source.plan.searchShare = 0.7;
    return options.input.file.ends_with(".json") ? partitionInstance(options, progress)
                                                 : partitionModel(options, progress);
}

} // namespace

void addPartitionCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "partition", "Find the best split, with a bound on how good any can be", partition);
    command->add_option("input", options->input.file, "A .pt2 file, or an instance (*.json)")->required();
    addProgram(*command, options->input);
    addPlanSourceFlags(*command, options->source, PlanFileFlag::Offered);
    CLI::Option* output =
        addOutput(*command, "-o,--output", options->output, ".stagecraft", "Save the plan (*.stagecraft)");
    CLI::Option* curve =
        command->add_flag("--curve", options->curve, "Compare the best plans of 1, 2, 3 ... stages")
            ->excludes(output);
    command->add_option("--most-stages", options->mostStages, "Where the curve ends")
        ->needs(curve)
        ->check(numberFrom(1, 256))
        ->capture_default_str();
    CLI::Option* tradeOffs = command
                                 ->add_flag("--trade-offs", options->tradeOffs,
                                            "Compare plans that give up time for memory or bytes sent")
                                 ->excludes(curve)
                                 ->excludes(output);
    command
        ->add_flag("--advise,--explain", options->advise,
                   "Why the slowest stage is slow, and the changes that would help")
        ->excludes(curve)
        ->excludes(tradeOffs);
    command
        ->add_flag("--improve", options->improve,
                   "Split the given plan anew, keeping its pins and what is named to be kept; never worse")
        ->excludes(curve)
        ->excludes(tradeOffs);
    command
        ->add_option("--keep-stage", options->keepStages,
                     "With --improve: a stage that stays as it is; 0 is the first")
        ->check(numberFrom(0))
        ->take_all();
    command
        ->add_option("--keep-boundary", options->keepBoundaries,
                     "With --improve: the boundary behind this stage stays where it is")
        ->check(numberFrom(0))
        ->take_all();
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
