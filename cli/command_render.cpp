#include "cli/command.h"
#include "cli/graph_output.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "core/base/output_file.h"
#include "core/layout/layout_engine.h"
#include "core/layout/make_run_tree.h"
#include "core/layout/svg.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct RenderCommandOptions
{
    ModelOption model;
    std::string output;
    std::string plan;
    std::string overlay;
    int depth = 2;
    bool all = false;
    bool dark = false;
    bool json = false;
};

// With the notes on model and plan before its own.
Result<Layout> layOut(const Model& model, const RenderCommandOptions& options, const Progress& progress)
{
    Partition partition = singleStage(model.graph.nodeCount());
    std::vector<std::string> notes = model.provenance.notes;
    if (!options.plan.empty()) {
        STAGECRAFT_ASSIGN(laid, cutsOfPlanFile(model, options.plan));
        notes = std::move(laid.notes);
        partition = std::move(laid.partition);
    }
    // The layout shares the graph; the model outlives it here.
    const std::shared_ptr<const Graph> graph(std::shared_ptr<void>(), &model.graph);
    const auto tree = std::make_shared<RunTree>(makeRunTree(*graph, makeGroupTree(*graph), partition));
    const Expansion expansion =
        options.all ? fullExpansion(*tree) : expansionToDepth(*graph, *tree, options.depth);
    LayoutEngine engine;
    STAGECRAFT_ASSIGN(layout, engine.layout(graph, tree, expansion, progress));
    layout.notes.insert(layout.notes.begin(), notes.begin(), notes.end());
    return layout;
}

Result<void> render(const RenderCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    STAGECRAFT_ASSIGN(layout, layOut(model, options, progress));
    STAGECRAFT_ASSIGN(overlay, givenOverlay(options.overlay, model.graph));
    const SvgOptions look{options.dark ? SvgOptions::Look::Dark : SvgOptions::Look::Light,
                          overlay ? &*overlay : nullptr};
    STAGECRAFT_ASSIGN(size, writeTextFile(options.output, layoutSvg(layout, look)));
    if (options.json)
        printJson({{"file", options.output}, {"bytes", size.count()}, {"notes", layout.notes}});
    else
        std::cout << options.output << ": " << formatBytes(size) << '\n';
    if (!options.json)
        printNotes(layout.notes);
    return {};
}

} // namespace

void addRenderCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] =
        addCommand(app, chosen, "render", "Draw the graph as an SVG picture", render);
    addSizedModel(*command, options->model);
    addOutput(*command, "-o,--output", options->output, ".svg", "The picture to write (*.svg)")->required();
    addFile(*command, "--plan", options->plan, "The plan whose stages are shown (*.stagecraft)");
    addOverlay(*command, options->overlay);
    addNumber(*command, "--depth", options->depth,
              "How deep modules are opened; those that only hold others do not count", 0);
    command->add_flag("--all", options->all, "Open everything");
    command->add_flag("--dark", options->dark, "On a dark ground");
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
