#include "cli/command.h"
#include "cli/plan_source.h"
#include "core/partition/curve_text.h"
#include "core/partition/instance.h"
#include "core/partition/partition_json.h"
#include "core/partition/plan_file.h"
#include "core/partition/search.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct PartitionCommandOptions
{
    std::string input;
    PlanSourceFlags source;
    std::string output;
    bool json = false;
    bool curve = false;
    std::size_t mostStages = 16;
};

void print(const PartitionProblem& problem, const Solution& solution, bool asJson)
{
    std::cout << (asJson ? partitionJson(problem, solution) : partitionText(problem, solution));
    std::cout << (asJson ? "\n" : "");
}

Result<void> printCurve(const PartitionCommandOptions& options, const PartitionProblem& problem,
                        const Progress& progress)
{
    if (!options.output.empty())
        return Error{ErrorCode::BadUsage, "--curve compares plans; save one of them with --stages K -o"};
    const CurveOptions wanted{.lastStageCount = options.mostStages,
                              .timeLimit = Seconds(options.source.plan.timeLimit)};
    STAGECRAFT_ASSIGN(curve, solveCurve(problem, wanted, {}, progress));
    std::cout << (options.json ? curveJson(curve) : curveText(curve));
    if (progress.stopRequested())
        return cancelled();
    return {};
}

// Instances allow empty stages ("at most K").
Result<void> partitionInstance(const PartitionCommandOptions& options, const Progress& progress)
{
    if (!options.output.empty())
        return Error{ErrorCode::BadUsage, options.input + ": only plans of models can be saved with -o"};
    STAGECRAFT_ASSIGN(wanted, planOptions(options.source.plan));
    wanted.emptyStages = EmptyStages::Allow;
    STAGECRAFT_ASSIGN(instance, readInstance(options.input, wanted));
    if (options.curve)
        return printCurve(options, instance.problem, progress);
    STAGECRAFT_ASSIGN(solution, solve(instance.problem, progress));
    print(instance.problem, solution, options.json);
    return {};
}

Result<void> savePlan(const PartitionCommandOptions& options, const Model& model, const ChosenPlan& chosen)
{
    STAGECRAFT_ASSIGN(hash, fileSha256(options.input));
    return writePlan(
        makePlanFile(options.input, hash, model.graph, chosen.solution.partition, chosen.problem.options),
        options.output);
}

Result<void> partitionModel(const PartitionCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, openModel(options.input));
    if (options.curve) {
        STAGECRAFT_ASSIGN(question, planQuestion(model, options.source, progress));
        return printCurve(options, question.problem, progress);
    }
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, options.source, progress));
    if (!options.output.empty())
        STAGECRAFT_TRY(savePlan(options, model, chosen));
    print(chosen.problem, chosen.solution, options.json);
    printNotes(chosen.notes);
    return {};
}

} // namespace

void addPartitionCommand(CLI::App& app, Command& chosen)
{
    auto options = std::make_shared<PartitionCommandOptions>();
    CLI::App* command =
        app.add_subcommand("partition", "Find the best split, with a bound on how good any can be");
    command->add_option("input", options->input, "A .pt2 file, or an instance (.json)")->required();
    addPlanSourceFlags(*command, options->source, PlanFileFlag::Offered);
    command->add_option("-o,--output", options->output, "Save the plan (*.stagecraft)");
    CLI::Option* curve =
        command->add_flag("--curve", options->curve, "Compare the best plans of 1, 2, 3 ... stages");
    command->add_option("--most-stages", options->mostStages, "Where the curve ends")
        ->needs(curve)
        ->check(CLI::Range(std::size_t{1}, std::size_t{256}))
        ->capture_default_str();
    command->add_flag("--json", options->json, "For machines");
    command->callback([options, &chosen] {
        chosen = [options](const Progress& progress) {
            return options->input.ends_with(".json") ? partitionInstance(*options, progress)
                                                     : partitionModel(*options, progress);
        };
    });
}

} // namespace stagecraft::cli
