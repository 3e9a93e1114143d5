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

#include <optional>
#include <vector>

namespace stagecraft {

// Times of one microbatch. What a stage sends to several stages, it may send once: so sending and receiving
// are times of the stage, and links say who waits for whom.
struct StageTimes
{
    Seconds forward;
    Seconds backwardInput;
    Seconds backwardWeight;
    Seconds receiveActivations; // before forward
    Seconds sendActivations;    // after forward
    Seconds receiveGradients;   // before backward
    Seconds sendGradients;      // after the input half of backward
    Bytes state;                // always there: parameters, gradients, optimizer state, buffers
    Bytes saved;                // kept by one microbatch from its forward to the end of its backward
    Bytes transient;            // the most that is alive besides while the stage runs
};

// `to` waits for what `from` makes in forward, and the other way round in backward.
struct StageLink
{
    std::size_t from = 0;
    std::size_t to = 0; // > from

    friend auto operator<=>(const StageLink&, const StageLink&) = default;
};

enum class Communication : std::uint8_t {
    Blocking,   // sending and receiving occupy the device
    Overlapped, // they run beside the computing, on lanes of their own, one after the other
};

struct ScheduleCosts
{
    std::vector<StageTimes> stages;
    std::vector<StageLink> links;
    Communication communication = Communication::Blocking;
};

struct ActionSpan
{
    Action action;
    std::size_t device = 0;
    Seconds receiveStart; // `start` where nothing is received
    Seconds received;     // `start` where nothing is received, or where that blocks
    Seconds start;        // of computing
    Seconds end;
    Seconds made;      // what it made can be sent: `end`, or that of the action it runs as one with
    Seconds sendStart; // `made` where nothing is sent, or where that blocks
    Seconds sendEnd;   // `made` where nothing is sent
};

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
