#include "core/schedule/measured_step.h"

#include "core/base/text.h"
#include "core/schedule/schedule_check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <tuple>

namespace stagecraft {

namespace {

// Of what is told of two clocks or of two slots, this much is rounding: a microsecond.
constexpr Seconds rounding{1e-6};

Error wrong(const std::string& source, const std::string& what)
{
    return Error{ErrorCode::BadFormat, source + ": " + what};
}

// As in the plan: whether two run as one, no process says.
Action plain(Action action)
{
    action.overlaps = false;
    return action;
}

Result<void> checkSlots(const Schedule& planned, const RankRecord& record)
{
    if (record.actions.empty())
        return wrong(record.source, "has no slots");
    for (const MeasuredSlot& slot : record.actions) {
        const std::string name = actionText(slot.action);
        if (slot.action.stage >= planned.stageCount)
            return wrong(record.source, "has slot " + name + ", but the plan has " +
                                            counted(planned.stageCount, "stage") + ", 0 to " +
                                            std::to_string(planned.stageCount - 1));
        if (slot.action.microbatch >= planned.microbatches)
            return wrong(record.source, "has slot " + name + ", but the plan has " +
                                            std::to_string(planned.microbatches) + " microbatches");
        if (!std::isfinite(slot.start.value()) || !std::isfinite(slot.end.value()) || slot.end < slot.start)
            return wrong(record.source, "slot " + name + " does not end after it starts");
    }
    return {};
}

// The device of the plan whose stages the process ran.
Result<std::size_t> deviceOf(const Schedule& planned, const RankRecord& record)
{
    const MeasuredSlot& first = record.actions.front();
    const std::size_t device = planned.deviceOfStage[first.action.stage];
    for (const MeasuredSlot& slot : record.actions) {
        if (planned.deviceOfStage[slot.action.stage] != device)
            return wrong(record.source, "ran stages " + std::to_string(first.action.stage) + " and " +
                                            std::to_string(slot.action.stage) +
                                            ", which are on different devices in the plan");
    }
    return device;
}

Action ofKind(Action action, ActionKind kind)
{
    action.kind = kind;
    return action;
}

// A device's row as it ran: PyTorch makes one backward pass of two halves that follow each other.
std::vector<Action> rowAsRun(const std::vector<Action>& row, const std::vector<MeasuredSlot>& slots)
{
    std::set<Action> ran;
    for (const MeasuredSlot& slot : slots)
        ran.insert(slot.action);
    std::vector<Action> asRun;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const Action action = plain(row[i]), whole = ofKind(action, ActionKind::Backward);
        const bool isPair = action.kind == ActionKind::BackwardInput && i + 1 < row.size() &&
                            plain(row[i + 1]) == ofKind(action, ActionKind::BackwardWeight);
        if (isPair && ran.contains(whole))
            ++i;
        asRun.push_back(isPair && ran.contains(whole) ? whole : action);
    }
    return asRun;
}

// What keeps the slots, in the order of time, from being the row.
Result<void> checkRow(const std::vector<Action>& row, const RankRecord& record,
                      const std::vector<MeasuredSlot>& slots)
{
    const std::set<Action> wanted(row.begin(), row.end());
    std::set<Action> found;
    for (const MeasuredSlot& slot : slots) {
        if (!wanted.contains(slot.action))
            return wrong(record.source, "has slot " + actionText(slot.action) +
                                            ", which the plan's schedule does not have: it ran another one");
        if (!found.insert(slot.action).second)
            return wrong(record.source,
                         "has slot " + actionText(slot.action) + " twice; it must be of one step");
    }
    for (const Action& action : wanted) {
        if (!found.contains(action))
            return wrong(record.source, "slot " + actionText(action) + " is missing");
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (slots[i].action != row[i])
            return wrong(record.source, "ran " + actionText(slots[i].action) +
                                            " where the plan's schedule has " + actionText(row[i]) +
                                            ": it ran another one");
        if (i > 0 && slots[i].start + rounding < slots[i - 1].end)
            return wrong(record.source, "slot " + actionText(slots[i].action) + " begins before " +
                                            actionText(slots[i - 1].action) + " has ended");
    }
    return {};
}

// The slots of each device, in the order of time.
struct DeviceRows
{
    std::vector<const RankRecord*> records;
    std::vector<std::vector<MeasuredSlot>> slots;
};

Result<DeviceRows> rowsOf(const Schedule& planned, const StepRecord& record)
{
    DeviceRows rows{std::vector<const RankRecord*>(planned.deviceCount()),
                    std::vector<std::vector<MeasuredSlot>>(planned.deviceCount())};
    std::set<std::size_t> ranks;
    for (const RankRecord& rank : record.ranks) {
        if (!ranks.insert(rank.rank).second)
            return wrong(rank.source, "rank " + std::to_string(rank.rank) + " is there twice");
        STAGECRAFT_TRY(checkSlots(planned, rank));
        STAGECRAFT_ASSIGN(device, deviceOf(planned, rank));
        if (rows.records[device] != nullptr)
            return wrong(rank.source, "ran stage " + std::to_string(rank.actions.front().action.stage) +
                                          ", as did " + rows.records[device]->source);
        std::vector<MeasuredSlot> slots = rank.actions;
        std::ranges::stable_sort(slots, {},
                                 [](const MeasuredSlot& slot) { return std::tuple(slot.start, slot.end); });
        STAGECRAFT_TRY(checkRow(rowAsRun(planned.devices[device], slots), rank, slots));
        rows.records[device] = &rank;
        rows.slots[device] = std::move(slots);
    }
    for (std::size_t stage = 0; stage < planned.stageCount; ++stage) {
        if (rows.records[planned.deviceOfStage[stage]] == nullptr)
            return Error{ErrorCode::BadFormat, "nothing says what stage " + std::to_string(stage) +
                                                   " did: give the files of all ranks"};
    }
    return rows;
}

// Who waits for whom from stage to stage, and in which pass.
struct Wait
{
    std::size_t from = 0;
    std::size_t to = 0;    // > from
    bool backward = false; // `from` waits for `to`
};

std::vector<Wait> waitsOf(const Schedule& planned, const StepRecord& record, bool withBackward)
{
    std::vector<Wait> waits;
    for (std::size_t stage = 0; stage + 1 < planned.stageCount; ++stage) {
        waits.push_back({stage, stage + 1, false});
        if (!record.sends && withBackward)
            waits.push_back({stage, stage + 1, true});
    }
    for (const MeasuredSend& send : record.sends.value_or(std::vector<MeasuredSend>{})) {
        if (send.backward > Seconds{} && withBackward)
            waits.push_back({send.from, send.to, true});
    }
    return waits;
}

// By how much one device's clock must at least be ahead of another's, and which slots say so.
struct Lead
{
    std::optional<Seconds> least;
    Action first;
    Action second;
};

class Clocks
{
public:
    Clocks(const Schedule& planned, const DeviceRows& rows)
        : m_planned(planned),
          m_forward(planned.stageCount * planned.microbatches),
          m_backward(m_forward.size())
    {
        for (const auto& row : rows.slots) {
            for (const MeasuredSlot& slot : row) {
                const std::size_t place = placeOf(slot.action.stage, slot.action.microbatch);
                if (slot.action.kind == ActionKind::Forward)
                    m_forward[place] = slot;
                else if (slot.action.kind != ActionKind::BackwardWeight)
                    m_backward[place] = slot;
            }
        }
    }

    // By device, 0 or more; fails where slots wait for each other in a circle.
    Result<std::vector<Seconds>> shifts(const std::vector<Wait>& waits, Seconds tolerance) const
    {
        const std::size_t count = m_planned.deviceCount();
        const std::vector<Lead> leads = leadsOf(waits);
        std::vector<Seconds> shifts(count);
        for (std::size_t round = 0;; ++round) {
            const Lead* moved = nullptr;
            for (std::size_t from = 0; from < count; ++from) {
                for (std::size_t to = 0; to < count; ++to) {
                    const Lead& lead = leads[from * count + to];
                    if (!lead.least || shifts[from] + *lead.least <= shifts[to] + tolerance)
                        continue;
                    shifts[to] = shifts[from] + *lead.least;
                    moved = &lead;
                }
            }
            if (moved == nullptr)
                return shifts;
            if (round > count)
                return Error{
                    ErrorCode::BadFormat,
                    "however clocks are set, " + actionText(moved->second) + " begins before " +
                        actionText(moved->first) +
                        " has ended, which it waits for, or the like: the times are not of one step"};
        }
    }

private:
    std::size_t placeOf(std::size_t stage, std::size_t microbatch) const
    {
        return stage * m_planned.microbatches + microbatch;
    }

    std::vector<Lead> leadsOf(const std::vector<Wait>& waits) const
    {
        const std::size_t count = m_planned.deviceCount();
        std::vector<Lead> leads(count * count);
        for (const Wait& wait : waits) {
            const auto& table = wait.backward ? m_backward : m_forward;
            const auto [maker, reader] =
                wait.backward ? std::pair(wait.to, wait.from) : std::pair(wait.from, wait.to);
            Lead& lead = leads[m_planned.deviceOfStage[maker] * count + m_planned.deviceOfStage[reader]];
            if (m_planned.deviceOfStage[maker] == m_planned.deviceOfStage[reader])
                continue;
            for (std::size_t microbatch = 0; microbatch < m_planned.microbatches; ++microbatch) {
                const MeasuredSlot& made = table[placeOf(maker, microbatch)];
                const MeasuredSlot& read = table[placeOf(reader, microbatch)];
                if (!lead.least || made.end - read.start > *lead.least)
                    lead = {made.end - read.start, made.action, read.action};
            }
        }
        return leads;
    }

    const Schedule& m_planned;
    std::vector<MeasuredSlot> m_forward; // by stage and microbatch
    std::vector<MeasuredSlot> m_backward;
};

struct ClockShifts
{
    std::vector<Seconds> byDevice;
    std::string note;
};

// Where parameters are frozen a stage may go back without waiting. Sends say where that is so; without them
// it cannot be told from times of different steps.
Result<ClockShifts> clockShifts(const Schedule& planned, const StepRecord& record, const DeviceRows& rows)
{
    Seconds first = rows.slots.front().front().start, last = first;
    for (const auto& row : rows.slots) {
        first = std::min(first, row.front().start);
        last = std::max(last, row.back().end);
    }
    const Seconds tolerance = std::max(rounding, (last - first) * 1e-4);
    const Clocks clocks(planned, rows);
    Result<std::vector<Seconds>> shifts = clocks.shifts(waitsOf(planned, record, true), tolerance);
    if (shifts.has_value())
        return ClockShifts{*std::move(shifts), {}};
    if (record.sends)
        return shifts.error();
    STAGECRAFT_ASSIGN(forward, clocks.shifts(waitsOf(planned, record, false), tolerance));
    return ClockShifts{std::move(forward),
                       shifts.error().message +
                           ", unless that stage has nothing to train; clocks are set by forward "
                           "passes alone"};
}

Result<void> checkSends(const Schedule& planned, const StepRecord& record)
{
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (const MeasuredSend& send : record.sends.value_or(std::vector<MeasuredSend>{})) {
        const std::string name =
            "the send from stage " + std::to_string(send.from) + " to " + std::to_string(send.to);
        const auto isTime = [](Seconds time) { return std::isfinite(time.value()) && time >= Seconds{}; };
        if (send.from >= send.to || send.to >= planned.stageCount)
            return Error{ErrorCode::BadFormat, name + " does not lead down the plan's pipeline"};
        if (!isTime(send.forward) || !isTime(send.backward))
            return Error{ErrorCode::BadFormat, name + " takes no time, 0 or more"};
        if (!seen.insert({send.from, send.to}).second)
            return Error{ErrorCode::BadFormat, name + " is there twice"};
    }
    if (record.whole && (!std::isfinite(record.whole->value()) || *record.whole < Seconds{}))
        return Error{ErrorCode::BadFormat, "the step takes no time, 0 or more"};
    return {};
}

// Of the time of a stage's backward passes, what their first halves take where they ran apart.
std::vector<double> inputShares(std::size_t stageCount, const DeviceRows& rows)
{
    std::vector<Seconds> input(stageCount), weight(stageCount);
    for (const auto& row : rows.slots) {
        for (const MeasuredSlot& slot : row) {
            if (slot.action.kind == ActionKind::BackwardInput)
                input[slot.action.stage] += slot.end - slot.start;
            else if (slot.action.kind == ActionKind::BackwardWeight)
                weight[slot.action.stage] += slot.end - slot.start;
        }
    }
    std::vector<double> shares(stageCount, 0.5);
    for (std::size_t stage = 0; stage < stageCount; ++stage) {
        if (input[stage] + weight[stage] > Seconds{})
            shares[stage] = input[stage] / (input[stage] + weight[stage]);
    }
    return shares;
}

ActionSpan spanOf(const Action& action, std::size_t device, Seconds start, Seconds end, Seconds made)
{
    return {.action = action,
            .device = device,
            .receiveStart = start,
            .received = start,
            .start = start,
            .end = end,
            .made = made,
            .sendStart = made,
            .sendEnd = made};
}

DeviceUse useOf(std::span<const ActionSpan> row, Seconds makespan)
{
    DeviceUse use;
    use.warmUp = row.front().start;
    Seconds last = row.front().start;
    for (const ActionSpan& span : row) {
        use.waiting += span.start - last;
        use.busy += span.end - span.start;
        last = span.end;
    }
    use.drain = makespan - last;
    return use;
}

Timeline timelineOf(const Schedule& planned, const DeviceRows& rows, const std::vector<Seconds>& shifts)
{
    Timeline timeline;
    timeline.stageCount = planned.stageCount;
    timeline.memory.resize(planned.deviceCount());
    Seconds first = rows.slots.front().front().start + shifts.front();
    for (std::size_t device = 0; device < rows.slots.size(); ++device)
        first = std::min(first, rows.slots[device].front().start + shifts[device]);
    const std::vector<double> shares = inputShares(planned.stageCount, rows);
    for (std::size_t device = 0; device < rows.slots.size(); ++device) {
        auto action = planned.devices[device].begin();
        for (const MeasuredSlot& slot : rows.slots[device]) {
            const Seconds start = slot.start + shifts[device] - first;
            const Seconds end = slot.end + shifts[device] - first;
            Seconds begin = start;
            if (plain(*action) != slot.action) { // both halves at once
                begin += (end - start) * shares[slot.action.stage];
                timeline.spans.push_back(spanOf(*action++, device, start, begin, end));
            }
            timeline.spans.push_back(spanOf(*action++, device, begin, end, end));
            timeline.makespan = std::max(timeline.makespan, end);
        }
    }
    auto next = timeline.spans.begin();
    for (const auto& row : planned.devices) {
        timeline.devices.push_back(useOf({next, row.size()}, timeline.makespan));
        next += static_cast<std::ptrdiff_t>(row.size());
    }
    return timeline;
}

} // namespace

Result<MeasuredStep> measuredStep(const Schedule& planned, const StepRecord& record)
{
    STAGECRAFT_TRY(checkSchedule(planned));
    STAGECRAFT_TRY(checkSends(planned, record));
    STAGECRAFT_ASSIGN(rows, rowsOf(planned, record));
    STAGECRAFT_ASSIGN(shifts, clockShifts(planned, record, rows));
    MeasuredStep step{.timeline = timelineOf(planned, rows, shifts.byDevice), .sends = record.sends};
    for (const RankRecord* const rank : rows.records)
        step.ranks.push_back(rank->rank);
    if (record.whole)
        step.whole = std::max(*record.whole, step.timeline.makespan);
    step.clockShift = std::move(shifts.byDevice);
    step.note = std::move(shifts.note);
    return step;
}

} // namespace stagecraft
