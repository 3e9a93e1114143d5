#include "core/schedule/bubble.h"

#include <algorithm>

namespace stagecraft {

namespace {

ScheduleCosts withoutTransfers(ScheduleCosts costs)
{
    for (StageTimes& stage : costs.stages) {
        stage.receiveActivations = stage.sendActivations = Seconds{};
        stage.receiveGradients = stage.sendGradients = Seconds{};
    }
    return costs;
}

// Every stage the average of all.
ScheduleCosts balanced(ScheduleCosts costs)
{
    StageTimes sum;
    for (const StageTimes& stage : costs.stages) {
        sum.forward += stage.forward;
        sum.backwardInput += stage.backwardInput;
        sum.backwardWeight += stage.backwardWeight;
    }
    const auto count = static_cast<double>(costs.stages.size());
    for (StageTimes& stage : costs.stages) {
        stage.forward = sum.forward / count;
        stage.backwardInput = sum.backwardInput / count;
        stage.backwardWeight = sum.backwardWeight / count;
    }
    return costs;
}

Seconds idleTime(const Timeline& timeline)
{
    Seconds idle;
    for (const DeviceUse& device : timeline.devices)
        idle += timeline.makespan - device.busy;
    return idle;
}

} // namespace

Result<BubbleParts> bubbleParts(const Schedule& schedule, const ScheduleCosts& costs)
{
    STAGECRAFT_ASSIGN(whole, simulate(schedule, costs));
    const ScheduleCosts computeOnly = withoutTransfers(costs);
    STAGECRAFT_ASSIGN(compute, simulate(schedule, computeOnly));
    STAGECRAFT_ASSIGN(even, simulate(schedule, balanced(computeOnly)));
    const Seconds all = whole.makespan * static_cast<double>(whole.devices.size());
    if (all <= Seconds{})
        return BubbleParts{};
    // A step may take longer without one of its delays; then the later causes bear less.
    const Seconds idle = std::max(Seconds{}, idleTime(whole));
    const Seconds withoutSending = std::clamp(idleTime(compute), Seconds{}, idle);
    const Seconds own = std::clamp(idleTime(even), Seconds{}, withoutSending);
    return BubbleParts{.communication = (idle - withoutSending) / all,
                       .imbalance = (withoutSending - own) / all,
                       .schedule = own / all};
}

} // namespace stagecraft
