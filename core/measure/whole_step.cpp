#include "core/measure/whole_step.h"

#include "core/profile/cost/traffic.h"
#include "core/profile/device/dispatch_clock.h"

namespace stagecraft {

WholeStep sumOverOperators(const Trace& trace, const MatchedProbe& matched, const ProbeTimes& probe,
                           const DeviceSpec& device)
{
    WholeStep step;
    const auto passOf = [&](const TraceOp& op) -> WholePass& {
        return op.phase == Phase::Forward ? step.forward : step.backward;
    };
    for (const TraceOp& op : trace.ops)
        if (operatorTraffic(trace, op).total() > Bytes(0))
            passOf(op).operators += DispatchClock::handovers(trace.opNames[op.name], device);
        else
            passOf(op).views += 1;
    for (const auto& [op, seconds] : matched.ops)
        passOf(*op).inOperators += seconds;
    step.forward.seconds = probe.forward.value();
    step.backward.seconds = probe.backward.value();
    return step;
}

} // namespace stagecraft
