#include "app/document/schedule_figures.h"

#include "core/base/output_file.h"
#include "core/plan/evaluate.h"
#include "core/schedule/trace_events.h"
#include "core/workflow.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"

#include <QCoreApplication>

namespace stagecraft {

namespace {

struct SimulatedStep
{
    Schedule schedule;
    ScheduleCosts costs;
    Timeline timeline;
    BubbleParts bubble;
};

Result<SimulatedStep> simulatedStep(const PlanState& state)
{
    if (!state.problem || state.problem->stageCount() != state.partition->stageCount)
        return Error{ErrorCode::BadUsage, "the costs of this model are not known yet"};
    STAGECRAFT_ASSIGN(schedule, scheduleOf(state.problem->options));
    ScheduleCosts costs = scheduleCosts(*state.problem, *state.partition);
    STAGECRAFT_ASSIGN(timeline, simulate(schedule, costs));
    STAGECRAFT_ASSIGN(bubble, bubbleParts(schedule, costs));
    return SimulatedStep{std::move(schedule), std::move(costs), std::move(timeline), bubble};
}

bool isSame(const Schedule& a, const Schedule& b)
{
    return a.stageCount == b.stageCount && a.microbatches == b.microbatches &&
           a.deviceOfStage == b.deviceOfStage && a.devices == b.devices;
}

MeasuredFigures figuresOf(const MeasuredRun& run, const StepComparison& comparison)
{
    return {.name = run.name,
            .problem = {},
            .timeline = run.step.timeline,
            .comparison = comparison,
            .note = shownText(run.step.note)};
}

} // namespace

Result<MeasuredRun> readMeasuredRun(const Model& model, const PlanState& state,
                                    std::span<const std::filesystem::path> files, const Progress& progress)
{
    STAGECRAFT_ASSIGN(planned, simulatedStep(state));
    STAGECRAFT_ASSIGN(step, readMeasuredStep(files, model.graph, *state.partition, planned.schedule,
                                             state.problem->options.schedule, progress));
    // What fails here fails before anything is shown.
    STAGECRAFT_TRY(compareSteps(planned.schedule, planned.costs, planned.timeline, step));
    QString name = shownText(files.front().filename().string());
    if (files.size() > 1)
        name = QCoreApplication::translate("ScheduleFigures", "%1 and %n more", nullptr,
                                           static_cast<int>(files.size()) - 1)
                   .arg(name);
    return MeasuredRun{name, std::move(step), std::move(planned.schedule), state.partition};
}

std::shared_ptr<const MeasuredFigures> measuredFigures(const PlanState& state, const MeasuredRun& run)
{
    const auto ofAnotherPlan = [&] {
        return std::make_shared<const MeasuredFigures>(MeasuredFigures{
            .name = run.name,
            .problem = QCoreApplication::translate(
                "ScheduleFigures", "measured on another plan than this; it shows again with that one")});
    };
    if (*run.partition != *state.partition) // so in a drag: nothing is simulated for it
        return ofAnotherPlan();
    const Result<SimulatedStep> planned = simulatedStep(state);
    if (!planned.has_value())
        return nullptr;
    if (!isSame(run.schedule, planned->schedule))
        return ofAnotherPlan();
    const Result<StepComparison> compared =
        compareSteps(planned->schedule, planned->costs, planned->timeline, run.step);
    if (!compared.has_value())
        return std::make_shared<const MeasuredFigures>(
            MeasuredFigures{.name = run.name, .problem = shownText(compared.error().message)});
    return std::make_shared<const MeasuredFigures>(figuresOf(run, *compared));
}

std::shared_ptr<const ScheduleFigures> scheduleFigures(const PlanState& state)
{
    Result<SimulatedStep> step = simulatedStep(state);
    if (!state.cost || !step.has_value())
        return nullptr;
    const PartitionOptions& options = state.problem->options;
    QString title = termText(traitsOf(options.schedule).title);
    if (options.sharesDevices())
        title += QStringLiteral(", ") + QString::fromStdString(stagingText(options));
    ScheduleFigures figures{.title = QCoreApplication::translate("ScheduleFigures", "%1, microbatches: %2")
                                         .arg(title)
                                         .arg(options.microbatches),
                            .timeline = std::move(step->timeline),
                            .bubble = step->bubble,
                            .memoryLimits = {}};
    for (const DeviceCost& device : state.cost->devices)
        figures.memoryLimits.push_back(device.memoryLimit);
    return std::make_shared<const ScheduleFigures>(std::move(figures));
}

Result<void> saveSchedule(const PlanState& state, const std::filesystem::path& path,
                          const ScheduleTable& table)
{
    const bool isTrace = path.extension() == ".json";
    if (!isTrace && path.extension() != ".csv")
        return Error{ErrorCode::BadUsage,
                     path.string() + ": a schedule is saved as trace events (.json) or as a table (.csv)"};
    STAGECRAFT_ASSIGN(step, simulatedStep(state));
    const std::string_view runtime = nameOf(pipelineRuntimes, state.problem->options.runtime);
    STAGECRAFT_TRY(writeTextFile(path, isTrace ? traceEventJson(step.timeline, step.bubble, runtime)
                                               : printScheduleCsv(step.schedule, table.form, table.waits)));
    return {};
}

} // namespace stagecraft
