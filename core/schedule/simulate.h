// The event simulator: what a step takes when a Schedule runs on stages of given costs.
//
//     receive ─► forward ─► send            blocking: all three occupy the device, and a receive ends no
//                            │              sooner than the send it waits for
//              receive ─► forward ─► ...    overlapped: transfers have lanes of their own
//
// Durations are per microbatch. It knows nothing of partitions: a stage is a row of numbers.
#pragma once

#include "core/base/quantities.h"
#include "core/schedule/schedule.h"
#include "core/schedule/stage_times.h"

#include <optional>
#include <vector>

namespace stagecraft {

struct MemoryStep
{
    Seconds time;
    Bytes bytes; // from then on
};

struct DeviceUse
{
    Seconds busy;          // computing
    Seconds communication; // occupied by blocking sends and receives
    Seconds warmUp;        // idle before its first action
    Seconds drain;         // idle after its last
    Seconds waiting;       // idle between: imbalance, or a schedule with holes
    Bytes peakMemory;
};

struct Timeline
{
    std::size_t stageCount = 0;
    std::vector<ActionSpan> spans; // by device, then by time
    std::vector<DeviceUse> devices;
    std::vector<std::vector<MemoryStep>> memory; // by device
    std::vector<std::size_t> criticalPath;       // spans that decide the end, first to last
    Seconds makespan;

    // Share of the step in which a device computes nothing: it waits, or is held up by transfers. 0 .. 1.
    double idleShare(std::size_t device) const;
    // The same of all devices' time: the mean of their idle shares.
    double bubble() const;
};

// Fails where the schedule cannot be run to its end (checkSchedule) or does not fit the costs.
Result<Timeline> simulate(const Schedule& schedule, const ScheduleCosts& costs);

} // namespace stagecraft
