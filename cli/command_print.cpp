#include "cli/command.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "core/advise/node_query.h"
#include "core/graph/graph_text.h"

#include <algorithm>
#include <iostream>

namespace stagecraft::cli {
namespace {

struct PrintOptions
{
    ModelOption model;
    std::string module;
    std::string find;
    bool json = false;
};

// The whole graph in its text form; of a module, and of what is found, the lines of its operators, which are
// no graph by themselves.
Result<std::string> textOf(const Graph& graph, ModuleId module, const std::string& query)
{
    if (module == ModuleTree::root() && query.empty())
        return printGraph(graph);
    std::vector<NodeId> found;
    if (!query.empty()) {
        STAGECRAFT_ASSIGN(nodes, findNodes({graph}, query));
        if (nodes.empty())
            return Error{ErrorCode::NotFound, "--find '" + query + "' finds no operator"};
        found = std::move(nodes);
    }
    const auto isFound = [&](NodeId node) {
        return query.empty() || std::ranges::binary_search(found, node);
    };
    std::string text;
    for (const NodeId node : graph.nodes())
        if (graph.modules().contains(module, graph[node].module) && isFound(node))
            text += printNode(graph, node) + '\n';
    return text;
}

Result<void> print(const PrintOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    const std::optional<ModuleId> module = model.graph.modules().find(options.module);
    if (!module)
        return Error{ErrorCode::BadUsage, options.model.file + ": there is no module '" + options.module +
                                              "'; `stagecraft-cli profile --by module` lists them"};
    if (!options.json)
        printNotes(model.provenance.notes);
    STAGECRAFT_ASSIGN(text, textOf(model.graph, *module, options.find));
    if (options.json)
        printJson({{"model", model.name},
                   {"module", options.module},
                   {"text", text},
                   {"notes", model.provenance.notes}});
    else
        std::cout << text;
    return {};
}

} // namespace

void addPrintCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(app, chosen, "print", "Print the graph as text", print);
    addSizedModel(*command, options->model);
    command->add_option("--module", options->module, "Only the operators of this module, by its path");
    command->add_option("--find", options->find,
                        "Only operators that this finds, such as \"op:linear shape:1024\"");
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
