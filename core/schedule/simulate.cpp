#include "core/schedule/simulate.h"

#include "core/schedule/action_times.h"
#include "core/schedule/schedule_check.h"

#include <algorithm>
#include <span>

namespace stagecraft {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// Runs the rows of a schedule side by side: an action runs when all it waits for has run.
class Simulator
{
public:
    Simulator(const Schedule& schedule, const ScheduleCosts& costs)
        : m_schedule(schedule),
          m_costs(costs),
          m_rowOf(schedule.deviceCount()),
          m_free(schedule.deviceCount()),
          m_before(schedule.stageCount),
          m_after(schedule.stageCount),
          m_forward(schedule.stageCount * schedule.microbatches, none),
          m_backward(m_forward),
          m_lanes(schedule.stageCount)
    {
        for (const StageLink& link : costs.links) {
            m_before[link.to].push_back(link.from);
            m_after[link.from].push_back(link.to);
        }
    }

    // The action before which devices wait for each other for ever; none: all ran.
    std::optional<Action> run()
    {
        std::size_t left = 0;
        for (const auto& row : m_schedule.devices)
            left += row.size();
        while (left > 0) {
            const std::size_t leftBefore = left;
            for (std::size_t device = 0; device < m_schedule.deviceCount(); ++device) {
                while (m_rowOf[device].size() < m_schedule.devices[device].size()) {
                    const auto actions = actionsAsOne(m_schedule.devices[device], m_rowOf[device].size());
                    if (!std::ranges::all_of(actions, [&](const Action& action) { return isReady(action); }))
                        break;
                    perform(device, actions);
                    left -= actions.size();
                }
            }
            if (left == leftBefore)
                return firstWaiting();
        }
        return std::nullopt;
    }

    Timeline timeline() const;

private:
    Action firstWaiting() const
    {
        std::size_t device = 0;
        while (m_rowOf[device].size() == m_schedule.devices[device].size())
            ++device;
        return m_schedule.devices[device][m_rowOf[device].size()];
    }

    struct Waiting
    {
        AwaitedSends sends;
        std::size_t slot = none; // the one that ends last
    };

    std::size_t& slotOf(std::vector<std::size_t>& table, std::size_t stage, std::size_t microbatch) const
    {
        return table[stage * m_schedule.microbatches + microbatch];
    }
    std::size_t slotOf(const std::vector<std::size_t>& table, std::size_t stage, std::size_t microbatch) const
    {
        return table[stage * m_schedule.microbatches + microbatch];
    }

    bool isReady(const Action& action) const
    {
        if (action.kind == ActionKind::BackwardWeight)
            return slotOf(m_backward, action.stage, action.microbatch) != none;
        const bool forward = action.kind == ActionKind::Forward;
        if (!forward && slotOf(m_forward, action.stage, action.microbatch) == none)
            return false;
        const auto& sources = forward ? m_before[action.stage] : m_after[action.stage];
        return std::ranges::all_of(sources, [&](std::size_t source) {
            return slotOf(forward ? m_forward : m_backward, source, action.microbatch) != none;
        });
    }

    Waiting waitingFor(const Action& action) const
    {
        Waiting waiting;
        if (action.kind == ActionKind::BackwardWeight)
            return waiting;
        const bool forward = action.kind == ActionKind::Forward;
        for (std::size_t source : forward ? m_before[action.stage] : m_after[action.stage]) {
            const std::size_t index = slotOf(forward ? m_forward : m_backward, source, action.microbatch);
            const ActionSpan& slot = m_slots[index];
            if (waiting.slot == none || slot.sendEnd > waiting.sends.end)
                waiting.slot = slot.action.overlaps ? index + 1 : index; // the two of a pair are neighbours
            waiting.sends.begin = std::max(waiting.sends.begin, slot.made);
            waiting.sends.end = std::max(waiting.sends.end, slot.sendEnd);
        }
        return waiting;
    }

    void perform(std::size_t device, std::span<const Action> actions);
    void compute(std::size_t device, const Action& action);
    void send(ActionSpan& slot, Seconds made);
    std::vector<MemoryStep> memoryOf(std::size_t device) const;
    DeviceUse useOf(std::size_t device, Seconds makespan) const;

    const Schedule& m_schedule;
    const ScheduleCosts& m_costs;
    std::vector<ActionSpan> m_slots;   // in the order in which they were run
    std::vector<std::size_t> m_causes; // the slot that each had to wait for longest
    std::vector<std::vector<std::size_t>> m_rowOf;
    std::vector<Seconds> m_free;
    std::vector<std::vector<std::size_t>> m_before;
    std::vector<std::vector<std::size_t>> m_after;
    std::vector<std::size_t> m_forward;
    std::vector<std::size_t> m_backward;
    std::vector<TransferLanes> m_lanes;
};

void Simulator::perform(std::size_t device, std::span<const Action> actions)
{
    for (const Action& action : actions)
        compute(device, action);
    for (std::size_t i = m_slots.size() - actions.size(); i < m_slots.size(); ++i)
        send(m_slots[i], m_slots.back().end);
}

void Simulator::send(ActionSpan& slot, Seconds made)
{
    const std::size_t stage = slot.action.stage;
    const SendTimes times = sendResult(slot.action, m_costs.stages[stage], m_costs.communication, made,
                                       m_free[slot.device], m_lanes[stage]);
    slot.made = made;
    slot.sendStart = times.start;
    slot.sendEnd = times.end;
}

void Simulator::compute(std::size_t device, const Action& action)
{
    const StageTimes& stage = m_costs.stages[action.stage];
    const Waiting waiting = waitingFor(action);
    const ActionTimes times =
        runAction(action, stage, m_costs.communication, waiting.sends, m_free[device], m_lanes[action.stage]);
    const Seconds receive = receiveTime(action, stage);
    const ActionSpan slot{.action = action,
                          .device = device,
                          .receiveStart = receive == Seconds{} ? times.start : times.receiveStart,
                          .received = receive == Seconds{} ? times.start : times.received,
                          .start = times.start,
                          .end = times.end,
                          .made = times.end,
                          .sendStart = times.end,
                          .sendEnd = times.end};

    auto& row = m_rowOf[device];
    const bool heldByOther = waiting.slot != none && waiting.sends.end >= times.received - receive;
    const bool deviceLast = !row.empty() && (!heldByOther || m_slots[row.back()].sendEnd > waiting.sends.end);
    m_causes.push_back(deviceLast ? row.back() : waiting.slot);
    row.push_back(m_slots.size());
    const bool forward = action.kind == ActionKind::Forward;
    if (action.kind != ActionKind::BackwardWeight)
        slotOf(forward ? m_forward : m_backward, action.stage, action.microbatch) = m_slots.size();
    m_slots.push_back(slot);
}

std::vector<MemoryStep> Simulator::memoryOf(std::size_t device) const
{
    Bytes alive;
    for (std::size_t stage = 0; stage < m_schedule.stageCount; ++stage) {
        if (m_schedule.deviceOfStage[stage] == device)
            alive += m_costs.stages[stage].state;
    }
    std::vector<MemoryStep> steps{{Seconds{}, alive}};
    for (std::size_t index : m_rowOf[device]) {
        const ActionSpan& slot = m_slots[index];
        const StageTimes& stage = m_costs.stages[slot.action.stage];
        alive += keptFromStart(stage, slot.action.kind);
        steps.push_back({slot.start, alive + transientOf(stage, slot.action.kind)});
        alive += keptFromEnd(stage, slot.action.kind);
        steps.push_back({slot.end, alive});
    }
    return steps;
}

DeviceUse Simulator::useOf(std::size_t device, Seconds makespan) const
{
    DeviceUse use;
    const auto& row = m_rowOf[device];
    if (row.empty()) {
        use.warmUp = makespan;
        return use;
    }
    const bool blocking = m_costs.communication == Communication::Blocking;
    Seconds last;
    for (std::size_t index : row) {
        const ActionSpan& slot = m_slots[index];
        const Seconds begin = blocking ? slot.receiveStart : slot.start;
        (index == row.front() ? use.warmUp : use.waiting) += begin - last;
        use.busy += slot.end - slot.start;
        last = blocking && !slot.action.overlaps ? slot.sendEnd : slot.end;
        if (blocking)
            use.communication += (slot.start - slot.receiveStart) + (slot.sendEnd - slot.sendStart);
    }
    use.drain = makespan - last;
    return use;
}

Timeline Simulator::timeline() const
{
    Timeline timeline;
    timeline.stageCount = m_schedule.stageCount;
    std::vector<std::size_t> place(m_slots.size());
    for (const auto& row : m_rowOf) {
        for (std::size_t index : row) {
            place[index] = timeline.spans.size();
            timeline.spans.push_back(m_slots[index]);
        }
    }
    std::size_t last = none;
    for (std::size_t index = 0; index < m_slots.size(); ++index) {
        if (last == none || m_slots[index].sendEnd > m_slots[last].sendEnd)
            last = index;
    }
    for (std::size_t index = last; index != none; index = m_causes[index])
        timeline.criticalPath.push_back(place[index]);
    std::ranges::reverse(timeline.criticalPath);
    if (last != none)
        timeline.makespan = m_slots[last].sendEnd;

    for (std::size_t device = 0; device < m_schedule.deviceCount(); ++device) {
        timeline.devices.push_back(useOf(device, timeline.makespan));
        timeline.memory.push_back(memoryOf(device));
        for (const MemoryStep& step : timeline.memory.back())
            timeline.devices.back().peakMemory = std::max(timeline.devices.back().peakMemory, step.bytes);
    }
    return timeline;
}

} // namespace

double Timeline::idleShare(std::size_t device) const
{
    return makespan > Seconds{} ? std::clamp(1 - devices[device].busy / makespan, 0.0, 1.0) : 0;
}

double Timeline::bubble() const
{
    Seconds busy;
    for (const DeviceUse& device : devices)
        busy += device.busy;
    const Seconds all = makespan * static_cast<double>(devices.size());
    return all > Seconds{} ? std::max(0.0, 1 - busy / all) : 0;
}

Result<Timeline> simulate(const Schedule& schedule, const ScheduleCosts& costs)
{
    if (costs.stages.size() != schedule.stageCount)
        return Error{ErrorCode::BadUsage, "the schedule has " + std::to_string(schedule.stageCount) +
                                              " stages, but there are costs of " +
                                              std::to_string(costs.stages.size())};
    for (const StageLink& link : costs.links) {
        if (link.from >= link.to || link.to >= schedule.stageCount)
            return Error{ErrorCode::BadUsage, "a link from stage " + std::to_string(link.from) +
                                                  " to stage " + std::to_string(link.to) +
                                                  " does not lead down the pipeline"};
    }
    Simulator simulator(schedule, costs);
    if (const std::optional<Action> stuck = simulator.run()) {
        STAGECRAFT_TRY(checkSchedule(schedule));
        return Error{ErrorCode::Failed, "deadlock at " + actionText(*stuck) +
                                            ": the devices of the schedule wait for each other"};
    }
    return simulator.timeline();
}

} // namespace stagecraft
