#include "cli/command.h"
#include "cli/graph_output.h"
#include "cli/option_checks.h"
#include "core/load/open_model.h"

namespace stagecraft::cli {
namespace {

struct GraphCommandOptions
{
    std::string model;
    std::string overlay;
    GraphOutputFlags output{.format = "graphml", .output = {}};
};

Result<void> graph(const GraphCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_TRY(checkGraphOutput(options.output));
    STAGECRAFT_ASSIGN(model, openModel(options.model, progress));
    STAGECRAFT_ASSIGN(overlay, givenOverlay(options.overlay, model.graph));
    return writeGraph(options.output, {.graph = model.graph, .overlay = overlay ? &*overlay : nullptr});
}

} // namespace

void addGraphCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "graph", "Write the graph for other programs: GraphML, JSON, DOT, CSV", graph);
    addModel(*command, options->model);
    addOverlay(*command, options->overlay);
    addGraphOutput(*command, options->output);
    command->get_option("--format")->capture_default_str();
}

} // namespace stagecraft::cli
