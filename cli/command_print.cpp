#include "cli/command.h"
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

Result<void> print(const PrintOptions& options)
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
    auto options = std::make_shared<PrintOptions>();
    CLI::App* command = app.add_subcommand("print", "Print the graph as text");
    command->add_option("model", options->model, "A .pt2 file")->required();
    command->add_option("--module", options->module, "Only the operators of this module, by its path");
    command->add_flag("--json", options->json, "One JSON document on standard output (cli/README.md)");
    command->callback(
        [options, &chosen] { chosen = [options](const Progress&) { return print(*options); }; });
}

} // namespace stagecraft::cli
