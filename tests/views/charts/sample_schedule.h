// The timeline of made-up stages, for tests and pictures of the schedule panel.
#pragma once

#include "views/charts/schedule_view.h"

#include <memory>

namespace stagecraft::sample {

// Stages of about 1 ms forward and 2 ms backward, the second the slowest; transfers of 0.1 ms; a memory limit
// that the first device breaks.
inline std::shared_ptr<const ScheduleFigures> scheduleFigures(ScheduleKind kind, std::size_t stages,
                                                              std::size_t devices, std::size_t microbatches)
{
    ScheduleCosts costs;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        const double slowness = stage == 1 ? 1.4 : 1 + 0.05 * static_cast<double>(stage % 3);
        StageTimes times;
        times.forward = Seconds(1e-3 * slowness);
        times.backwardInput = times.backwardWeight = Seconds(1e-3 * slowness);
        times.sendActivations = times.receiveGradients = Seconds(stage + 1 < stages ? 1e-4 : 0);
        times.receiveActivations = times.sendGradients = Seconds(stage > 0 ? 1e-4 : 0);
        times.state = Bytes(std::int64_t{3} << 30);
        times.saved = Bytes(std::int64_t{1} << 30);
        times.transient = Bytes(std::int64_t{1} << 28);
        costs.stages.push_back(times);
        if (stage > 0)
            costs.links.push_back({stage - 1, stage});
    }
    const Schedule schedule = makeSchedule(kind, stages, devices, microbatches).value();
    ScheduleFigures figures{.title = QStringLiteral("%1, microbatches: %2")
                                         .arg(QString::fromStdString(std::string(scheduleName(kind))))
                                         .arg(microbatches),
                            .timeline = simulate(schedule, costs).value(),
                            .bubble = bubbleParts(schedule, costs).value(),
                            .memoryLimits = {}};
    figures.memoryLimits.assign(devices, Bytes(std::int64_t{7} << 30));
    return std::make_shared<const ScheduleFigures>(std::move(figures));
}

} // namespace stagecraft::sample
