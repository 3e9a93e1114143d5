#include "cli/command.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/profile_options.h"
#include "cli/weights_option.h"
#include "core/load/given_inputs.h"
#include "core/measure/statistics.h"
#include "core/run/interpreter.h"
#include "core/stage/annotated_code.h"
#include "core/stage/cut.h"
#include "core/stage/python_code.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

struct AnalyseOptions
{
    ModelOption model;
    std::string inputs = "exported";
    std::string outputGradients = "ones";
    bool inputGradients = false;
    std::uint64_t seed = 0;
    std::vector<std::string> bindings;
    std::string lossOutput; // empty: by the rule
    bool json = false;
};

ordered_json tensorJson(const std::optional<TensorStatistics>& tensor)
{
    if (!tensor)
        return nullptr;
    return {{"elements", tensor->elements},
            {"mean", tensor->mean},
            {"standard_deviation", tensor->standardDeviation},
            {"absolute_maximum", tensor->absoluteMaximum},
            {"zeros", tensor->zeros},
            {"nans", tensor->nans},
            {"infinities", tensor->infinities}};
}

ordered_json nodeName(const Graph& graph, const std::optional<NodeId>& node)
{
    return node ? ordered_json(graph[*node].name) : ordered_json();
}

ordered_json statisticsJson(const Model& model, const Statistics& statistics)
{
    ordered_json values = ordered_json::array();
    for (const ValueId id : model.graph.values()) {
        const ValueStatistics& value = statistics.values[id];
        if (value.forward)
            values.push_back({{"name", model.graph[id].name},
                              {"target", model.graph[id].target},
                              {"forward", tensorJson(value.forward)},
                              {"backward", tensorJson(value.backward)}});
    }
    return {{"model", model.name},
            {"loss", statistics.loss},
            {"first_non_finite", nodeName(model.graph, statistics.firstNonFinite)},
            {"first_non_finite_gradient", nodeName(model.graph, statistics.firstNonFiniteGradient)},
            {"notes", statistics.notes},
            {"values", std::move(values)}};
}

Result<void> printCode(const Model& model, const Statistics& statistics)
{
    STAGECRAFT_ASSIGN(programs, cutStages(model, singleStage(model.graph.nodeCount())));
    // A line for each node: what repeated blocks make differs.
    const StageCode code = stageCode(model, programs.front(), RepeatedCode::EachTime);
    std::cout << annotatedCode(code, statisticsNotes(code, model.graph, statistics));
    if (statistics.firstNonFinite)
        std::cout << "first NaN or infinity: from " << describeNode(model.graph, *statistics.firstNonFinite)
                  << '\n';
    if (statistics.firstNonFiniteGradient)
        std::cout << "first NaN or infinity in a gradient: from "
                  << describeNode(model.graph, *statistics.firstNonFiniteGradient) << '\n';
    return {};
}

Result<void> takeGradients(const Model& model, const std::string& source, StatisticsOptions& step)
{
    if (source == "random") {
        step.outputGradients = OutputGradients::Random;
    } else if (source != "ones") {
        STAGECRAFT_ASSIGN(given, readGradients(model, step.lossOutput, source));
        step.givenGradients = std::move(given);
    }
    return {};
}

Result<void> analyse(const AnalyseOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(bindings, parseBindings(options.bindings));
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    std::vector<std::string> notes;
    STAGECRAFT_TRY(checkBindings(model.graph, bindings, notes));
    STAGECRAFT_ASSIGN(inputs, givenInputs(model, options.inputs, bindings));
    notes.push_back(inputs.empty() ? "random inputs" : "inputs: " + options.inputs);
    StatisticsOptions step{.bindings = bindings,
                           .seed = options.seed,
                           .inputs = std::move(inputs),
                           .inputGradients = options.inputGradients,
                           .lossOutput = options.lossOutput};
    STAGECRAFT_TRY(takeGradients(model, options.outputGradients, step));
    STAGECRAFT_ASSIGN(statistics, gatherStatistics(model, step, progress));
    statistics.notes.insert(statistics.notes.end(), notes.begin(), notes.end());
    if (options.json) {
        printJson(statisticsJson(model, statistics));
        return {};
    }
    STAGECRAFT_TRY(printCode(model, statistics));
    printNotes(statistics.notes);
    return {};
}

} // namespace

void addAnalyseCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "analyse",
        "Run one step on the CPU; print the code with the spread of every tensor and gradient", analyse);
    addModel(*command, options->model);
    addWeightsOption(*command, options->model.weights);
    command->add_option("--inputs", options->inputs, inputsText)->capture_default_str();
    command
        ->add_option(
            "--output-gradients", options->outputGradients,
            "What flows back first: ones, random, or a .safetensors file with a tensor by the name of "
            "each output that the step goes back from")
        ->capture_default_str();
    command->add_flag("--input-gradients", options->inputGradients, "Follow gradients to the inputs, too");
    addNumber(*command, "--seed", options->seed, "Seed of what is random", 0);
    addBindings(*command, options->bindings);
    addLossOutput(*command, options->lossOutput);
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
