#include "cli/command.h"
#include "cli/graph_output.h"
#include "cli/model_option.h"
#include "cli/plan_source.h"

namespace stagecraft::cli {
namespace {

struct GraphCommandOptions
{
    ModelOption model;
    std::string overlay;
    GraphOutputFlags output;
};

Result<void> graph(const GraphCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(format, askedFormat(options.output));
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    printNotes(model.provenance.notes);
    STAGECRAFT_ASSIGN(overlay, givenOverlay(options.overlay, model.graph));
    return writeGraph(options.output, format.value_or(GraphFormat::GraphMl),
                      {.graph = model.graph, .overlay = overlay ? &*overlay : nullptr});
}

} // namespace

void addGraphCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "graph", "Write the graph for other programs: GraphML, JSON, DOT, CSV", graph);
    addSizedModel(*command, options->model);
    addOverlay(*command, options->overlay);
    addGraphOutput(*command, options->output);
}

} // namespace stagecraft::cli
