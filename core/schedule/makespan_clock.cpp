#include "core/schedule/makespan_clock.h"

#include "core/schedule/action_times.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

Result<std::vector<ActionSpan>> actionsInOrder(const Schedule& schedule)
{
    ScheduleCosts costs{.stages = std::vector<StageTimes>(schedule.stageCount)};
    for (std::size_t stage = 1; stage < schedule.stageCount; ++stage)
        costs.links.push_back({stage - 1, stage});
    for (StageTimes& stage : costs.stages)
        stage.forward = stage.backwardInput = stage.backwardWeight = Seconds(1);
    STAGECRAFT_ASSIGN(timeline, simulate(schedule, costs));
    // Each action takes time here, so what begins later cannot be waited for by what begins sooner.
    std::ranges::stable_sort(timeline.spans, {}, &ActionSpan::start);
    return std::move(timeline.spans);
}

Result<MakespanClock> MakespanClock::make(Schedule schedule)
{
    STAGECRAFT_ASSIGN(actions, actionsInOrder(schedule));
    MakespanClock clock(std::move(schedule));
    for (const ActionSpan& span : actions)
        clock.m_order.push_back({span.action, span.device});
    return clock;
}

MakespanClock::MakespanClock(Schedule schedule)
    : m_schedule(std::move(schedule)),
      m_forward(m_schedule.stageCount * m_schedule.microbatches),
      m_backward(m_forward.size()),
      m_before(m_schedule.stageCount),
      m_after(m_schedule.stageCount)
{
}

Seconds MakespanClock::makespan(const ScheduleCosts& costs)
{
    for (std::size_t stage = 0; stage < m_schedule.stageCount; ++stage) {
        m_before[stage].clear();
        m_after[stage].clear();
    }
    for (const StageLink& link : costs.links) {
        m_before[link.to].push_back(link.from);
        m_after[link.from].push_back(link.to);
    }
    std::vector<Seconds> free(m_schedule.deviceCount());
    std::vector<TransferLanes> lanes(m_schedule.stageCount);
    std::vector<const Action*> held(m_schedule.deviceCount()); // what it made goes with that of the next
    Seconds last;
    const auto send = [&](const Action& action, std::size_t device, Seconds made) {
        const Seconds end = sendResult(action, costs.stages[action.stage], costs.communication, made,
                                       free[device], lanes[action.stage])
                                .end;
        const std::size_t slot = action.stage * m_schedule.microbatches + action.microbatch;
        if (action.kind != ActionKind::BackwardWeight)
            (action.kind == ActionKind::Forward ? m_forward : m_backward)[slot] = {made, end};
        last = std::max(last, end);
    };
    for (const Step& step : m_order) {
        const std::size_t stage = step.action.stage;
        const bool forward = step.action.kind == ActionKind::Forward;
        const bool weight = step.action.kind == ActionKind::BackwardWeight;
        const std::vector<Ends>& table = forward ? m_forward : m_backward;
        AwaitedSends awaited;
        if (!weight) {
            for (const std::size_t source : forward ? m_before[stage] : m_after[stage]) {
                const Ends& ends = table[source * m_schedule.microbatches + step.action.microbatch];
                awaited.begin = std::max(awaited.begin, ends.made);
                awaited.end = std::max(awaited.end, ends.sendEnd);
            }
        }
        const Seconds made = runAction(step.action, costs.stages[stage], costs.communication, awaited,
                                       free[step.device], lanes[stage])
                                 .end;
        if (step.action.overlaps) {
            held[step.device] = &step.action;
            continue;
        }
        if (const Action* const first = std::exchange(held[step.device], nullptr))
            send(*first, step.device, made);
        send(step.action, step.device, made);
    }
    return last;
}

Bytes MakespanClock::peakMemory(std::size_t device, const std::vector<StageTimes>& stages) const
{
    Bytes alive;
    for (std::size_t stage = 0; stage < m_schedule.stageCount; ++stage) {
        if (m_schedule.deviceOfStage[stage] == device)
            alive += stages[stage].state;
    }
    Bytes peak = alive;
    for (const Action& action : m_schedule.devices[device]) {
        const StageTimes& stage = stages[action.stage];
        alive += keptFromStart(stage, action.kind);
        peak = std::max(peak, alive + transientOf(stage, action.kind));
        alive += keptFromEnd(stage, action.kind);
        peak = std::max(peak, alive);
    }
    return peak;
}

} // namespace stagecraft
