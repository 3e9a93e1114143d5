// What the simulator is told of the stages, and what it says of each action.
#pragma once

#include "core/base/quantities.h"
#include "core/schedule/action.h"

#include <compare>
#include <cstddef>
#include <cstdint>
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
    Bytes flowing = {};         // besides, while it runs all of a backward
    Bytes transientInput = {};  // the same while it runs the input half of a backward, of that all
    Bytes transientWeight = {}; // likewise
    Bytes waiting = {};         // between the input half of its backward and the weight half
    Bytes released = {};        // of `saved`: let go at the end of the input half
    Bytes sentForward = {};     // kept by one microbatch from its forward to the end of the step
    Bytes sentBackward = {};    // from the input half of its backward to the end of the step
};

// What a stage holds more when an action of it starts, and when it has ended.
inline Bytes keptFromStart(const StageTimes& stage, ActionKind kind)
{
    if (kind == ActionKind::BackwardWeight)
        return Bytes{} - stage.waiting;
    return kind == ActionKind::Forward ? stage.saved + stage.sentForward : Bytes{};
}
inline Bytes keptFromEnd(const StageTimes& stage, ActionKind kind)
{
    Bytes kept;
    if (makesInputGradients(kind))
        kept += stage.sentBackward;
    if (makesWeightGradients(kind))
        kept -= stage.saved;
    if (kind == ActionKind::BackwardInput)
        kept += stage.waiting - stage.released;
    if (kind == ActionKind::BackwardWeight)
        kept += stage.released;
    return kept;
}
// The most that is alive besides while it runs.
inline Bytes transientOf(const StageTimes& stage, ActionKind kind)
{
    if (isPart(kind))
        return kind == ActionKind::BackwardInput ? stage.transientInput : stage.transientWeight;
    return stage.transient + (kind == ActionKind::Backward ? stage.flowing : Bytes{});
}

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

} // namespace stagecraft
