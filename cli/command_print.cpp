#include "cli/command.h"
#include "core/graph/graph_text.h"
#include "core/load/model.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct PrintOptions
{
    std::string model;
    std::string module;
    bool json = false;
};

Result<void> print(const PrintOptions& options)
{
    STAGECRAFT_ASSIGN(model, openModel(options.model));
    const std::optional<ModuleId> module = model.graph.modules().find(options.module);
    if (!module)
        return Error{ErrorCode::BadUsage, options.model + ": there is no module '" + options.module +
                                              "'; `stagecraft-cli profile --by module` lists them"};
    const std::string text = graphText(model.graph, *module);
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
    command->add_flag("--json", options->json, "For machines");
    command->callback(
        [options, &chosen] { chosen = [options](const Progress&) { return print(*options); }; });
}

} // namespace stagecraft::cli
