#include "cli/command.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/region_texts.h"
#include "core/base/output_file.h"
#include "core/base/text_file.h"
#include "core/plan/evaluate.h"
#include "core/plan/runtime_memory.h"
#include "core/schedule/comparison_text.h"
#include "core/schedule/schedule_csv.h"
#include "core/schedule/timeline_summary.h"
#include "core/schedule/timeline_text.h"
#include "core/schedule/trace_events.h"
#include "core/workflow.h"

#include <algorithm>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace stagecraft::cli {
namespace {

struct ScheduleCommandOptions
{
    ModelOption model;
    PlanSourceFlags source;
    std::string trace;
    std::string importCsv;
    std::string exportCsv;
    std::string csvForm = "compute_only";
    std::string torchVersion;          // empty: any but the latest
    std::size_t columns = 0;           // 0: as wide as the terminal
    std::vector<std::string> measured; // files
    bool json = false;
};

bool hasSplitPasses(const Schedule& order)
{
    return std::ranges::any_of(order.devices, [](const std::vector<Action>& actions) {
        return std::ranges::find(actions, ActionKind::BackwardInput, &Action::kind) != actions.end();
    });
}

// A schedule from a file torch runs action by action, and holds what it does in such schedules.
PartitionProblem asRunFromFile(PartitionProblem problem, const Schedule& order)
{
    ScheduleKind& kind = problem.options.schedule;
    if (!splitsBackward(kind) && hasSplitPasses(order))
        kind = ScheduleKind::ZeroBubble1;
    else if (kind == ScheduleKind::OneFOneB || kind == ScheduleKind::GPipe)
        kind = ScheduleKind::LoopedBfs;
    return problem;
}

// The schedule of the plan's options, or of a file in torch's form, which must be for as many stages.
Result<Schedule> scheduleFor(const ScheduleCommandOptions& options, const PartitionProblem& problem,
                             std::vector<std::string>& notes)
{
    if (options.importCsv.empty())
        return scheduleOf(problem.options);
    constexpr Bytes most(std::int64_t{64} << 20);
    STAGECRAFT_ASSIGN(text, readTextFile(options.importCsv, most));
    Result<Schedule> schedule = parseScheduleCsv(text);
    if (!schedule.has_value())
        return Error{schedule.error().code, options.importCsv + ": " + schedule.error().message};
    if (schedule->stageCount != problem.stageCount())
        return Error{ErrorCode::BadUsage,
                     options.importCsv + ": a schedule of " + std::to_string(schedule->stageCount) +
                         " stages, but the plan has " + std::to_string(problem.stageCount())};
    if (schedule->microbatches != problem.options.microbatches)
        notes.push_back(options.importCsv + " has " + std::to_string(schedule->microbatches) +
                        " microbatches; the plan was made for " +
                        std::to_string(problem.options.microbatches));
    return schedule;
}

// Of the text when nothing else is said.
std::size_t terminalColumns()
{
    constexpr std::size_t without = 100;
    winsize size{};
    const bool isTerminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return isTerminal && size.ws_col > 0 ? size.ws_col : without;
}

Result<void> writeReported(const std::string& path, const std::string& text)
{
    STAGECRAFT_ASSIGN(size, writeTextFile(path, text));
    std::cerr << path << ": " << formatBytes(size) << '\n';
    return {};
}

Result<CsvWaits> waitsAskedFor(const ScheduleCommandOptions& options)
{
    if (options.torchVersion.empty())
        return CsvWaits::Implied;
    return csvWaitsOf(options.torchVersion);
}

// What a run took, if files of one are given, and how that differs from the plan.
struct Run
{
    MeasuredStep step;
    StepComparison comparison;
};

Result<std::optional<Run>> runOf(const ScheduleCommandOptions& options, const Model& model,
                                 const ChosenPlan& chosen, const Schedule& order, const ScheduleCosts& costs,
                                 const Timeline& planned, const Progress& progress)
{
    if (options.measured.empty())
        return std::optional<Run>();
    const std::vector<std::filesystem::path> files(options.measured.begin(), options.measured.end());
    const auto kind =
        options.importCsv.empty() ? std::optional(chosen.problem.options.schedule) : std::nullopt;
    STAGECRAFT_ASSIGN(step,
                      readMeasuredStep(files, model.graph, chosen.solution.partition, order, kind, progress));
    STAGECRAFT_ASSIGN(comparison, compareSteps(order, costs, planned, step));
    return std::optional(Run{std::move(step), std::move(comparison)});
}

std::string stepText(const Timeline& timeline, const BubbleParts& bubble, const std::optional<Run>& run,
                     std::size_t columns)
{
    const std::string planned = timelineText(timeline, columns);
    const std::string summary = timelineSummary(timeline, bubble);
    if (!run)
        return planned + '\n' + summary;
    return "planned\n" + planned + "\nmeasured\n" + timelineText(run->step.timeline, columns) + '\n' +
           slotTable(run->comparison) + "\nplanned\n" + summary + "\nplanned and measured\n" +
           comparisonSummary(run->step, run->comparison);
}

Result<void> schedule(const ScheduleCommandOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(form, parseCsvForm(options.csvForm));
    STAGECRAFT_ASSIGN(waits, waitsAskedFor(options));
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, options.source, progress));
    STAGECRAFT_ASSIGN(order, scheduleFor(options, chosen.problem, chosen.notes));
    const ScheduleCosts costs =
        scheduleCosts(options.importCsv.empty() ? chosen.problem : asRunFromFile(chosen.problem, order),
                      chosen.solution.partition);
    STAGECRAFT_ASSIGN(timeline, simulate(order, costs));
    STAGECRAFT_ASSIGN(bubble, bubbleParts(order, costs));
    STAGECRAFT_ASSIGN(run, runOf(options, model, chosen, order, costs, timeline, progress));
    STAGECRAFT_ASSIGN(recomputed, planRecomputation(model, chosen, progress));
    printNotes(recomputed.notes);
    const PipelineRuntime runtime = chosen.problem.options.runtime;
    const auto traceEvents = [&] {
        const std::string_view name = nameOf(pipelineRuntimes, runtime);
        const std::string again = recomputationJson(recomputed.stages).dump();
        return run ? traceEventJson(timeline, bubble, name, run->step, run->comparison, again)
                   : traceEventJson(timeline, bubble, name, again);
    };
    if (!options.exportCsv.empty() && form == CsvForm::ComputeComms && options.torchVersion.empty())
        chosen.notes.emplace_back(
            "the table is for PyTorch up to 2.14; for later ones add --torch-version 2.15");
    printNotes(chosen.notes);
    printNotes(notesOnPlan(chosen));
    if (!options.trace.empty())
        STAGECRAFT_TRY(writeReported(options.trace, traceEvents()));
    if (!options.exportCsv.empty())
        STAGECRAFT_TRY(writeReported(options.exportCsv, printScheduleCsv(order, form, waits)));
    if (options.json) {
        std::cout << traceEvents();
        return {};
    }
    const std::size_t columns = options.columns > 0 ? options.columns : terminalColumns();
    const std::string& times = chosen.problem.times;
    std::cout << stepText(timeline, bubble, run, columns) << (times.empty() ? "" : "times: " + times + '\n')
              << buffersNote(runtime) << '\n'
              << recomputationText(recomputed.stages);
    return {};
}

} // namespace

void addScheduleCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "schedule", "The timeline of a step, as text or for a trace viewer", schedule);
    addModel(*command, options->model);
    command->add_option("plan", options->source.planFile, "A plan (*.stagecraft); without one, a search");
    addPlanSourceFlags(*command, options->source, PlanFileFlag::NotOffered);
    addOutput(*command, "--trace", options->trace, "", "Write trace events for Perfetto to this file");
    addFile(*command, "--import-csv", options->importCsv,
            "Run a schedule in the form that torch.distributed.pipelining writes");
    addOutput(*command, "--export-csv", options->exportCsv, "", "Write the schedule in that form");
    command
        ->add_option("--csv-form", options->csvForm,
                     "With --export-csv: compute_only, or compute_comms with sends and receives, too")
        ->capture_default_str();
    command
        ->add_option(
            "--torch-version", options->torchVersion,
            "With --csv-form compute_comms: which PyTorch reads it; from 2.15 on a table says where a "
            "device waits for what it sends. Usually up to 2.14")
        ->type_name("VERSION");
    addNumber(*command, "--columns", options->columns,
              "How wide the text is, in characters; 0: as the terminal, or 100", 0, 10000);
    addEach(*command, "--measured", options->measured, "FILE",
            "Lay what a run of the plan's export took over the plan: a file of pipeline.py --profile, or a "
            "trace of "
            "torch.profiler of each rank");
    command->add_flag("--json", options->json,
                      "The trace events on standard output, with what the step adds up to as otherData");
}

} // namespace stagecraft::cli
