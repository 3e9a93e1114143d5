#include "cli/command.h"
#include "cli/option_checks.h"
#include "core/graph/graph_text.h"
#include "core/load/open_model.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct PrintOptions
{
    std::string model;
    std::string module;
    bool json = false;
};

// The whole graph in its text form; of a module the lines of its operators, which is no graph by itself.
std::string textOf(const Graph& graph, ModuleId module)
{
    if (module == ModuleTree::root())
        return printGraph(graph);
    std::string text;
    for (const NodeId node : graph.nodes())
        if (graph.modules().contains(module, graph[node].module))
            text += printNode(graph, node) + '\n';
    return text;
}

Result<void> print(const PrintOptions& options, const Progress&)
{
    STAGECRAFT_ASSIGN(model, openModel(options.model));
    const std::optional<ModuleId> module = model.graph.modules().find(options.module);
    if (!module)
        return Error{ErrorCode::BadUsage, options.model + ": there is no module '" + options.module +
                                              "'; `stagecraft-cli profile --by module` lists them"};
    const std::string text = textOf(model.graph, *module);
    if (options.json)
        printJson({{"model", model.name}, {"module", options.module}, {"text", text}});
    else
        std::cout << text;
    return {};
}

} // namespace

void addPrintCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(app, chosen, "print", "Print the graph as text", print);
    addModel(*command, options->model);
    command->add_option("--module", options->module, "Only the operators of this module, by its path");
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
