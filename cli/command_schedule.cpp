#include "cli/command.h"
#include "cli/plan_source.h"
#include "core/base/output_file.h"
#include "core/partition/evaluate.h"
#include "core/schedule/timeline_text.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct ScheduleCommandOptions
{
    std::string model;
    PlanSourceFlags source;
    std::string trace;
    std::size_t columns = 100;
    bool json = false;
};

Result<void> schedule(const ScheduleCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, openModel(options.model));
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, options.source, progress));
    STAGECRAFT_ASSIGN(timeline, planTimeline(chosen.problem, chosen.solution.partition));
    printNotes(chosen.notes);
    if (!options.trace.empty()) {
        STAGECRAFT_ASSIGN(size, writeTextFile(options.trace, traceEventJson(timeline)));
        std::cerr << options.trace << ": " << formatBytes(size) << '\n';
    }
    if (options.json)
        printJson(nlohmann::ordered_json::parse(traceEventJson(timeline)));
    else
        std::cout << timelineText(timeline, options.columns);
    return {};
}

} // namespace

void addScheduleCommand(CLI::App& app, Command& chosen)
{
    auto options = std::make_shared<ScheduleCommandOptions>();
    CLI::App* command =
        app.add_subcommand("schedule", "The timeline of a step, as text or for a trace viewer");
    command->add_option("model", options->model, "A .pt2 file")->required();
    command->add_option("plan", options->source.planFile, "A plan (*.stagecraft); without one, a search");
    addPlanSourceFlags(*command, options->source, PlanFileFlag::NotOffered);
    command->add_option("--trace", options->trace, "Write trace events for Perfetto to this file");
    command->add_option("--columns", options->columns, "Width of the text")->capture_default_str();
    command->add_flag("--json", options->json, "Trace events on standard output");
    command->callback([options, &chosen] {
        chosen = [options](const Progress& progress) { return schedule(*options, progress); };
    });
}

} // namespace stagecraft::cli
