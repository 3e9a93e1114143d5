#include "cli/command.h"
#include "cli/plan_source.h"
#include "core/base/output_file.h"
#include "core/partition/evaluate.h"
#include "core/schedule/timeline_summary.h"
#include "core/schedule/timeline_text.h"

#include <fstream>
#include <iostream>
#include <sstream>

namespace stagecraft::cli {
namespace {

struct ScheduleCommandOptions
{
    std::string model;
    PlanSourceFlags source;
    std::string trace;
    std::string importCsv;
    std::string exportCsv;
    std::size_t columns = 100;
    bool json = false;
};

// The schedule of the plan's options, or of a file in torch's form, which must be for as many stages.
Result<Schedule> scheduleFor(const ScheduleCommandOptions& options, const PartitionProblem& problem)
{
    if (options.importCsv.empty())
        return scheduleOf(problem.options);
    std::ifstream file(options.importCsv, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf(); // a folder reads as empty
    if (!file.is_open())
        return Error{ErrorCode::Unreadable, options.importCsv + ": cannot be read"};
    Result<Schedule> schedule = parseScheduleCsv(text.str());
    if (!schedule.has_value())
        return Error{schedule.error().code, options.importCsv + ": " + schedule.error().message};
    if (schedule->stageCount != problem.stageCount())
        return Error{ErrorCode::BadUsage,
                     options.importCsv + ": a schedule of " + std::to_string(schedule->stageCount) +
                         " stages, but the plan has " + std::to_string(problem.stageCount())};
    return schedule;
}

Result<void> writeReported(const std::string& path, const std::string& text)
{
    STAGECRAFT_ASSIGN(size, writeTextFile(path, text));
    std::cerr << path << ": " << formatBytes(size) << '\n';
    return {};
}

Result<void> schedule(const ScheduleCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, openModel(options.model));
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, options.source, progress));
    STAGECRAFT_ASSIGN(order, scheduleFor(options, chosen.problem));
    const ScheduleCosts costs = scheduleCosts(chosen.problem, chosen.solution.partition);
    STAGECRAFT_ASSIGN(timeline, simulate(order, costs));
    STAGECRAFT_ASSIGN(bubble, bubbleParts(order, costs));
    printNotes(chosen.notes);
    if (!options.trace.empty())
        STAGECRAFT_TRY(writeReported(options.trace, traceEventJson(timeline)));
    if (!options.exportCsv.empty())
        STAGECRAFT_TRY(writeReported(options.exportCsv, printScheduleCsv(order)));
    if (options.json)
        printJson(nlohmann::ordered_json::parse(traceEventJson(timeline)));
    else
        std::cout << timelineText(timeline, options.columns) << '\n' << timelineSummary(timeline, bubble);
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
    command->add_option("--import-csv", options->importCsv,
                        "Run a schedule in the form that torch.distributed.pipelining writes");
    command->add_option("--export-csv", options->exportCsv, "Write the schedule in that form");
    command->add_option("--columns", options->columns, "Width of the text")->capture_default_str();
    command->add_flag("--json", options->json, "Trace events on standard output");
    command->callback([options, &chosen] {
        chosen = [options](const Progress& progress) { return schedule(*options, progress); };
    });
}

} // namespace stagecraft::cli
