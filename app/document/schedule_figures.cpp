#include "app/document/schedule_figures.h"

#include "core/plan/evaluate.h"
#include "views/base/plain_text.h"

#include <QCoreApplication>

namespace stagecraft {

std::shared_ptr<const ScheduleFigures> scheduleFigures(const PlanState& state)
{
    if (!state.problem || !state.cost || state.problem->stageCount() != state.partition->stageCount)
        return nullptr;
    const PartitionOptions& options = state.problem->options;
    const auto schedule = scheduleOf(options);
    if (!schedule.has_value())
        return nullptr;
    const ScheduleCosts costs = scheduleCosts(*state.problem, *state.partition);
    auto timeline = simulate(*schedule, costs);
    const auto bubble = bubbleParts(*schedule, costs);
    if (!timeline.has_value() || !bubble.has_value())
        return nullptr;
    QString title = shownText(traitsOf(options.schedule).title);
    if (options.sharesDevices())
        title += QStringLiteral(", ") + QString::fromStdString(stagingText(options));
    ScheduleFigures figures{.title = QCoreApplication::translate("ScheduleFigures", "%1, microbatches: %2")
                                         .arg(title)
                                         .arg(options.microbatches),
                            .timeline = std::move(timeline).value(),
                            .bubble = *bubble,
                            .memoryLimits = {}};
    for (const DeviceCost& device : state.cost->devices)
        figures.memoryLimits.push_back(device.memoryLimit);
    return std::make_shared<const ScheduleFigures>(std::move(figures));
}

} // namespace stagecraft
