#include "app/document/schedule_figures.h"

#include "core/base/output_file.h"
#include "core/plan/evaluate.h"
#include "core/schedule/schedule_csv.h"
#include "core/schedule/trace_events.h"
#include "views/base/plain_text.h"

#include <QCoreApplication>

namespace stagecraft {

namespace {

struct SimulatedStep
{
    Schedule schedule;
    Timeline timeline;
    BubbleParts bubble;
};

Result<SimulatedStep> simulatedStep(const PlanState& state)
{
    if (!state.problem || state.problem->stageCount() != state.partition->stageCount)
        return Error{ErrorCode::BadUsage, "the costs of this model are not known yet"};
    STAGECRAFT_ASSIGN(schedule, scheduleOf(state.problem->options));
    const ScheduleCosts costs = scheduleCosts(*state.problem, *state.partition);
    STAGECRAFT_ASSIGN(timeline, simulate(schedule, costs));
    STAGECRAFT_ASSIGN(bubble, bubbleParts(schedule, costs));
    return SimulatedStep{std::move(schedule), std::move(timeline), bubble};
}

} // namespace

std::shared_ptr<const ScheduleFigures> scheduleFigures(const PlanState& state)
{
    Result<SimulatedStep> step = simulatedStep(state);
    if (!state.cost || !step.has_value())
        return nullptr;
    const PartitionOptions& options = state.problem->options;
    QString title = shownText(traitsOf(options.schedule).title);
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

Result<void> saveSchedule(const PlanState& state, const std::filesystem::path& path)
{
    const bool isTrace = path.extension() == ".json";
    if (!isTrace && path.extension() != ".csv")
        return Error{ErrorCode::BadUsage,
                     path.string() + ": a schedule is saved as trace events (.json) or as a table (.csv)"};
    STAGECRAFT_ASSIGN(step, simulatedStep(state));
    STAGECRAFT_TRY(writeTextFile(path, isTrace ? traceEventJson(step.timeline, step.bubble)
                                               : printScheduleCsv(step.schedule)));
    return {};
}

} // namespace stagecraft
