#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "core/import/python_import.h"
#include "core/load/open_model.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

struct ImportCommandOptions
{
    ImportRequest request;
    std::string output;
    std::string folder;
    std::string mode = "train";
    bool withoutWeights = false;
    bool withWeights = false;
    bool verbose = false;
    bool json = false;
};

ordered_json valuesJson(const std::vector<ImportedValue>& values)
{
    ordered_json list = ordered_json::array();
    for (const ImportedValue& value : values)
        list.push_back({{"name", value.name}, {"type", value.type}});
    return list;
}

ordered_json modelJson(const ImportCommandOptions& options, const ImportOutcome& outcome, const Model& model)
{
    const ImportedModel& imported = *outcome.model;
    return {{"output", options.output},
            {"python", outcome.python ? outcome.python->python : ""},
            {"torch", outcome.python ? outcome.python->torch : ""},
            {"how", imported.how},
            {"operators", model.graph.nodeCount()},
            {"parameters", imported.parameters},
            {"parameter_bytes", imported.parameterBytes},
            {"structure_only", imported.structureOnly},
            {"inputs", valuesJson(imported.inputs)},
            {"outputs", valuesJson(imported.outputs)},
            {"notes", imported.notes}};
}

void printModel(const ImportCommandOptions& options, const ImportOutcome& outcome, const Model& model)
{
    std::cout << options.output << ": " << model.graph.nodeCount() << " operators, "
              << formatBytes(Bytes(outcome.model->parameterBytes)) << " of parameters"
              << (outcome.model->structureOnly ? " (structure only: the file holds no weights)" : "") << '\n';
    for (const ImportedValue& input : outcome.model->inputs)
        std::cout << "  input   " << input.name << "  " << input.type << '\n';
    for (const ImportedValue& value : outcome.model->outputs)
        std::cout << "  output  " << value.name << "  " << value.type << '\n';
}

void printAttempts(const ImportFailure& failure)
{
    if (failure.tried.size() < 2)
        return;
    for (const ImportFailure::Attempt& attempt : failure.tried)
        std::cerr << "tried: " << oneLine(attempt.how + ": " + attempt.why) << '\n';
}

Result<void> import(const ImportCommandOptions& options, const Progress& progress)
{
    ImportRequest request = options.request;
    request.output = options.output;
    request.folder = options.folder;
    if (options.mode == "eval")
        request.mode = ImportRequest::Mode::Evaluation;
    if (options.withoutWeights || options.withWeights)
        request.weights = options.withWeights ? ImportRequest::Weights::Made : ImportRequest::Weights::None;
    const ImportOutcome outcome = importModel(request, progress);
    if (options.verbose)
        std::cerr << outcome.details;
    if (!outcome.model.has_value()) {
        if (outcome.failure)
            printAttempts(*outcome.failure);
        return outcome.model.error();
    }
    STAGECRAFT_ASSIGN(model, openModel(options.output, progress));
    if (options.json)
        printJson(modelJson(options, outcome, model));
    else
        printModel(options, outcome, model);
    printNotes(options.json ? std::vector<std::string>{} : outcome.model->notes);
    return {};
}

void addSource(CLI::App& command, ImportCommandOptions& options)
{
    command
        .add_option("source", options.request.source,
                    "What makes the model: MODULE:FACTORY or FILE.py:FACTORY of one's own, hf:NAME (a model "
                    "type, a class, a folder with config.json, OWNER/NAME of the Hub), timm:NAME, "
                    "torchvision:NAME. Its code is run, by that Python")
        ->required();
    addOutput(command, "-o,--output", options.output, ".pt2", "The .pt2 file to write")->required();
    command
        .add_option(
            "--python", options.request.python,
            "Which Python; else that of STAGECRAFT_PYTHON, .venv, or python3. It needs PyTorch 2.6 or "
            "later")
        ->type_name("FILE");
    command
        .add_option("--folder", options.folder,
                    "Where Python looks for modules, if not in the current folder")
        ->type_name("FOLDER");
}

} // namespace

void addImportCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "import", "Make a .pt2 of a model in Python, with the Python it runs in", import);
    addSource(*command, *options);
    addEach(*command, "--input", options->request.inputs, "TYPE",
            "An input, in order or by name: \"f32[8,3,224,224]\", \"ids=i64[batch=2,128]\", \"mask=none\"; "
            "those of libraries' models are known");
    command->get_option("--input")->allow_extra_args(false); // CLI11 takes "[a, b]" apart otherwise
    addEach(*command, "--set", options->request.settings, "KEY=VALUE",
            "A member of the configuration, or an argument of the factory: num_hidden_layers=4");
    addEach(*command, "--dynamic", options->request.dynamicSizes, "NAME",
            "A size that stays open: batch is the first of each input, others are named in --input");
    command->add_option("--mode", options->mode, "train (evaluation where it cannot be traced), or eval")
        ->check(CLI::IsMember({"train", "eval"}))
        ->capture_default_str();
    auto* meta = command->add_flag("--meta", options->withoutWeights,
                                   "Make the structure without the weights, however large it is; usual for "
                                   "names of libraries");
    command
        ->add_flag("--real", options->withWeights, "Make the weights too, for names of libraries random ones")
        ->excludes(meta);
    command->add_flag("--verbose", options->verbose, "Show what Python and the model's code wrote");
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
