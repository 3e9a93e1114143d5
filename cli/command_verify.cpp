#include "cli/command.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/terminal.h"
#include "cli/weights_option.h"
#include "core/stage/verify.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

struct VerifyCommandOptions
{
    ModelOption model;
    std::string folder;
    VerifyOptions verify;
    std::string inputs = "exported";
    bool inPython = false;
    std::string python;
    std::vector<std::string> bindings;
    bool verbose = false;
    bool json = false;
};

ordered_json orNull(const std::optional<std::string>& text)
{
    return text ? ordered_json(*text) : ordered_json();
}

ordered_json reportJson(const VerifyReport& report)
{
    ordered_json comparisons = ordered_json::array();
    for (const Comparison& comparison : report.comparisons)
        comparisons.push_back({{"kind", comparisonKindName(comparison.kind)},
                               {"name", comparison.name},
                               {"shape", comparison.shape},
                               {"max_absolute", comparison.maxAbsolute},
                               {"max_relative", comparison.maxRelative},
                               {"passed", comparison.passed},
                               {"reason", comparison.reason}});
    return {{"passed", report.passed()},
            {"stages", report.stageCount},
            {"shapes_only", report.shapesOnly},
            {"summary", report.summary()},
            {"without_gradients", orNull(report.withoutGradients)},
            {"without_input_gradients", orNull(report.withoutInputGradients)},
            {"notes", report.notes},
            {"comparisons", std::move(comparisons)}};
}

void printFailures(const VerifyReport& report)
{
    for (const Comparison& comparison : report.comparisons)
        if (!comparison.passed)
            printFormatted("  %s %s %s: %s\n", std::string(comparisonKindName(comparison.kind)).c_str(),
                           comparison.name.c_str(), comparison.shape.c_str(),
                           comparison.reason.empty()
                               ? ("differs by " + std::to_string(comparison.maxAbsolute)).c_str()
                               : comparison.reason.c_str());
    printFormatted("%s\n", report.summary().c_str());
}

Result<void> verify(const VerifyCommandOptions& options, const Progress& progress)
{
    VerifyOptions wanted = options.verify;
    STAGECRAFT_ASSIGN(bindings, parseBindings(options.bindings));
    wanted.bindings = bindings;
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    std::vector<std::string> notes;
    STAGECRAFT_TRY(checkBindings(model.graph, bindings, notes));
    STAGECRAFT_ASSIGN(inputs, givenInputs(model, options.inputs, bindings));
    wanted.inputs = std::move(inputs);
    if (options.inPython || !options.python.empty() || !wanted.pythonImports.empty())
        wanted.python = options.python;
    if (options.verbose)
        wanted.hearPython = [](std::string_view text) { std::cerr << text; };
    if (!model.structureOnly())
        notes.push_back(wanted.inputs.empty() ? "random inputs" : "inputs: " + options.inputs);
    STAGECRAFT_ASSIGN(report, verifyExport(model, options.folder, wanted, progress));
    report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
    if (options.json)
        printJson(reportJson(report));
    else
        printFailures(report);
    printNotes(options.json ? std::vector<std::string>{} : report.notes);
    if (!report.passed())
        return Error{ErrorCode::Failed,
                     options.folder + ": the stages do not compute what the model computes"};
    return {};
}

} // namespace

void addVerifyCommand(CLI::App& app, Command& chosen)
{
    auto options = std::make_shared<VerifyCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "verify", "Compare exported stages with the whole model: outputs and every gradient");
    addModel(*command, options->model);
    command->add_option("folder", options->folder, "An export of it")->required();
    addWeightsOption(*command, options->model.weights);
    command->add_flag(
        "--python", options->inPython,
        "Also run stage_I.py and pipeline.py with Python, as their users do; this runs their code");
    command
        ->add_option("--python-path", options->python,
                     "Which Python; else that of STAGECRAFT_PYTHON, .venv, or python3")
        ->type_name("FILE");
    command
        ->add_option("--python-import", options->verify.pythonImports,
                     "What registers the model's own operators there; its code is run")
        ->type_name("MODULE|FILE.py");
    command->add_flag("--verbose", options->verbose, "Show what Python wrote, the whole of an error");
    command->add_option("--inputs", options->inputs, inputsText)->capture_default_str();
    command->add_option("--seed", options->verify.seed, "Seed of what is random")
        ->check(numberFrom(0))
        ->capture_default_str();
    command->add_option("--absolute", options->verify.absoluteTolerance, "By how much results may differ")
        ->check(numberFrom(0))
        ->capture_default_str();
    command
        ->add_option("--relative", options->verify.relativeTolerance,
                     "By how much more, as a share of the largest value of a tensor")
        ->check(numberFrom(0))
        ->capture_default_str();
    addBindings(*command, options->bindings);
    command->add_flag("--json", options->json, "One JSON document on standard output (cli/README.md)");
    command->callback([options, &chosen] {
        chosen = [options](const Progress& progress) { return verify(*options, progress); };
    });
}

} // namespace stagecraft::cli
