#include "cli/command.h"
#include "cli/graph_output.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/region_texts.h"
#include "core/base/output_file.h"
#include "core/report/report.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct ReportCommandOptions
{
    ModelOption model;
    PlanSourceFlags source;
    std::string output;
    std::string overlay;
    bool json = false;
};

Result<void> report(const ReportCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(opened, openedModel(options.model, progress));
    STAGECRAFT_ASSIGN(chosen, choosePlan(opened, options.source, progress));
    const std::vector<std::string> onPlan = notesOnPlan(chosen);
    chosen.notes.insert(chosen.notes.end(), onPlan.begin(), onPlan.end());
    STAGECRAFT_ASSIGN(recomputed, planRecomputation(opened, chosen, progress));
    chosen.notes.insert(chosen.notes.end(), recomputed.notes.begin(), recomputed.notes.end());
    STAGECRAFT_ASSIGN(overlay, givenOverlay(options.overlay, chosen.model->graph));
    STAGECRAFT_ASSIGN(page, reportPage({.model = *chosen.model,
                                        .profile = chosen.profile,
                                        .problem = chosen.problem,
                                        .solution = chosen.solution,
                                        .limitIsOfDevice = chosen.limitIsOfDevice,
                                        .notes = chosen.notes,
                                        .version = STAGECRAFT_VERSION,
                                        .madeFor = chosen.madeFor,
                                        .overlay = overlay ? &*overlay : nullptr,
                                        .without = recomputed.without ? &*recomputed.without : nullptr}));
    STAGECRAFT_ASSIGN(size, writeTextFile(options.output, page));
    if (options.json) {
        printJson({{"file", options.output}, {"bytes", size.count()}, {"notes", chosen.notes}});
        return {};
    }
    printNotes(chosen.notes);
    std::cout << options.output << ": " << formatBytes(size) << '\n';
    return {};
}

} // namespace

void addReportCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "report", "A plan with all its figures as one HTML file for any browser", report);
    addModel(*command, options->model);
    addPlanSourceFlags(*command, options->source, PlanFileFlag::Offered);
    addOverlay(*command, options->overlay);
    addOutput(*command, "-o,--output", options->output, ".html", "The page to write (*.html)")->required();
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
