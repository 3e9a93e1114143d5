// When one action of a schedule runs: the rule that the simulator and its fast counterpart share.
#pragma once

#include "core/schedule/schedule.h"
#include "core/schedule/stage_times.h"

#include <algorithm>
#include <vector>

namespace stagecraft {

// All actions in an order in which what an action waits for is before it, where each stage waits for the one
// before it. Fails where the devices cannot run their rows so. Only actions and devices are of use.
Result<std::vector<ActionSpan>> actionsInOrder(const Schedule& schedule);

// Transfers of a stage run one after the other on each of these when they do not block the device.
struct TransferLanes
{
    Seconds receiveActivations;
    Seconds sendActivations;
    Seconds receiveGradients;
    Seconds sendGradients;
};

// Of those that an action waits for, the last.
struct AwaitedSends
{
    Seconds begin;
    Seconds end;
};

struct ActionTimes
{
    Seconds receiveStart;
    Seconds received;
    Seconds start;
    Seconds end;
};

struct SendTimes
{
    Seconds start;
    Seconds end;
};

inline Seconds computeTime(const Action& action, const StageTimes& stage)
{
    switch (action.kind) {
    case ActionKind::Forward:
        return stage.forward;
    case ActionKind::Backward:
        return stage.backwardInput + stage.backwardWeight;
    case ActionKind::BackwardInput:
        return stage.backwardInput;
    case ActionKind::BackwardWeight:
        return stage.backwardWeight;
    }
    return {};
}

inline Seconds receiveTime(const Action& action, const StageTimes& stage)
{
    if (action.kind == ActionKind::BackwardWeight)
        return {};
    return action.kind == ActionKind::Forward ? stage.receiveActivations : stage.receiveGradients;
}

// Runs the action as soon as its device is free, from `deviceFree` on, and what it awaits is there. Moves
// `deviceFree` and the lane on.
inline ActionTimes runAction(const Action& action, const StageTimes& stage, Communication communication,
                             const AwaitedSends& awaited, Seconds& deviceFree, TransferLanes& lanes)
{
    Seconds& receiveLane = communication == Communication::Blocking ? deviceFree
                           : action.kind == ActionKind::Forward     ? lanes.receiveActivations
                                                                    : lanes.receiveGradients;
    ActionTimes times;
    times.receiveStart = std::max(receiveLane, awaited.begin);
    times.received = std::max(times.receiveStart + receiveTime(action, stage), awaited.end);
    receiveLane = times.received;
    times.start = std::max(deviceFree, times.received);
    times.end = times.start + computeTime(action, stage);
    deviceFree = times.end;
    return times;
}

// Sends what the action made, which may go from `made` on: when it, or the one that it runs as one with, is
// done. Moves `deviceFree` or the lane on.
inline SendTimes sendResult(const Action& action, const StageTimes& stage, Communication communication,
                            Seconds made, Seconds& deviceFree, TransferLanes& lanes)
{
    const bool forward = action.kind == ActionKind::Forward;
    const bool weight = action.kind == ActionKind::BackwardWeight;
    const Seconds send = weight ? Seconds{} : forward ? stage.sendActivations : stage.sendGradients;
    Seconds& lane = communication == Communication::Blocking ? deviceFree
                    : forward                                ? lanes.sendActivations
                                                             : lanes.sendGradients;
    const Seconds free = std::max(made, lane);
    if (send == Seconds{})
        return {made, free};
    lane = free + send;
    return {free, lane};
}

} // namespace stagecraft
