#include "core/schedule/schedule.h"

#include "core/base/named.h"
#include "core/base/text.h"
#include "core/schedule/v_rows.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stagecraft {

namespace {

using Row = std::vector<Action>;

// All forwards chunk by chunk, then all backwards in the reverse order of chunks.
Row breadthFirstRow(const std::vector<std::size_t>& stages, std::size_t microbatches,
                    bool lastMicrobatchFirst)
{
    Row row;
    for (std::size_t stage : stages) {
        for (std::size_t m = 0; m < microbatches; ++m)
            row.push_back({ActionKind::Forward, stage, m});
    }
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
        for (std::size_t m = 0; m < microbatches; ++m)
            row.push_back({ActionKind::Backward, *stage, lastMicrobatchFirst ? microbatches - 1 - m : m});
    }
    return row;
}

// The n-th forward (or backward) of a device that deals its microbatches out in rounds over its stages.
class RoundRobin
{
public:
    RoundRobin(std::vector<std::size_t> stages, std::size_t perRound)
        : m_stages(std::move(stages)), m_perRound(perRound), m_done(m_stages.size(), 0)
    {
    }

    Action next(ActionKind kind)
    {
        const std::size_t chunk = m_count++ / m_perRound % m_stages.size();
        return {kind, m_stages[chunk], m_done[chunk]++};
    }

private:
    std::vector<std::size_t> m_stages;
    std::size_t m_perRound;
    std::vector<std::size_t> m_done;
    std::size_t m_count = 0;
};

struct Alternation
{
    std::size_t warmUp = 0;      // forwards before the first backward
    bool splitBackward = false;  // into input and weight half
    std::size_t weightDelay = 0; // input halves before the first weight half
};

// Warm-up forwards, then one forward and one backward in turn, then the remaining backwards.
Row alternatingRow(const RowShape& shape, const Alternation& order)
{
    const std::vector<std::size_t>& stages = shape.stages;
    const std::vector<std::size_t> reversed(stages.rbegin(), stages.rend());
    RoundRobin forwards(stages, shape.perRound());
    RoundRobin backwards(reversed, shape.perRound());
    RoundRobin weights(reversed, shape.perRound());
    const std::size_t total = stages.size() * shape.microbatches;
    const std::size_t warmUp = std::min(order.warmUp, total);

    Row row;
    for (std::size_t i = 0; i < warmUp; ++i)
        row.push_back(forwards.next(ActionKind::Forward));
    std::size_t weightsDone = 0;
    for (std::size_t i = 0; i < total; ++i) {
        if (warmUp + i < total)
            row.push_back(forwards.next(ActionKind::Forward));
        row.push_back(backwards.next(order.splitBackward ? ActionKind::BackwardInput : ActionKind::Backward));
        if (order.splitBackward && i >= order.weightDelay) {
            row.push_back(weights.next(ActionKind::BackwardWeight));
            ++weightsDone;
        }
    }
    for (; order.splitBackward && weightsDone < total; ++weightsDone)
        row.push_back(weights.next(ActionKind::BackwardWeight));
    return row;
}

Row gpipeRow(const RowShape& shape)
{
    return breadthFirstRow(shape.stages, shape.microbatches, false);
}

Row loopedBfsRow(const RowShape& shape)
{
    return breadthFirstRow(shape.stages, shape.microbatches, true);
}

Row oneFOneBRow(const RowShape& shape)
{
    return alternatingRow(shape, {.warmUp = shape.hops()});
}

Row interleavedRow(const RowShape& shape)
{
    return alternatingRow(shape, {.warmUp = (shape.stages.size() - 1) * shape.perRound() + 2 * shape.hops()});
}

Row zeroBubbleRow(const RowShape& shape)
{
    return alternatingRow(shape, {.warmUp = (shape.stages.size() - 1) * shape.perRound() + shape.hops(),
                                  .splitBackward = true,
                                  .weightDelay = shape.device});
}

Result<void> checkShape(const ScheduleTraits& traits, std::size_t stages, std::size_t devices,
                        std::size_t microbatches)
{
    const std::string name(traits.name);
    if (stages == 0 || devices == 0 || microbatches == 0)
        return Error{ErrorCode::BadUsage,
                     "a schedule needs at least one stage, one device and one microbatch"};
    if (traits.fixedStages && stages != *traits.fixedStages * devices)
        return Error{ErrorCode::BadUsage, "schedule " + name + " runs " +
                                              (*traits.fixedStages == 1 ? "one stage" : "two stages") +
                                              " a device: " + counted(stages, "stage") + " cannot go on " +
                                              counted(devices, "device")};
    if (stages % devices != 0)
        return Error{ErrorCode::BadUsage,
                     "schedule " + name + " runs as many stages on each device: " + counted(stages, "stage") +
                         " cannot be divided among " + counted(devices, "device")};
    if (traits.fillsStages && microbatches < stages)
        return Error{ErrorCode::BadUsage,
                     "schedule " + name + " needs at least as many microbatches as stages: " +
                         std::to_string(microbatches) + " cannot fill " + counted(stages, "stage")};
    const std::size_t roundCount = std::max<std::size_t>(1, microbatches / devices);
    if (traits.runsRounds && microbatches % roundCount != 0)
        return Error{ErrorCode::BadUsage, "schedule " + name + " on " + counted(devices, "device") +
                                              " needs a number of microbatches that is a multiple of " +
                                              std::to_string(roundCount) + ", not " +
                                              std::to_string(microbatches)};
    return {};
}

} // namespace

// By kind.
constinit const std::array<ScheduleTraits, scheduleCount> scheduleTable{{
    {.kind = ScheduleKind::OneFOneB,
     .name = "1f1b",
     .title = "1F1B",
     .torchClass = "Schedule1F1B",
     .makeRow = oneFOneBRow,
     .fixedStages = 1,
     .isProposed = true},
    {.kind = ScheduleKind::GPipe,
     .name = "gpipe",
     .title = "GPipe",
     .torchClass = "ScheduleGPipe",
     .makeRow = gpipeRow,
     .fixedStages = 1,
     .isProposed = true},
    {.kind = ScheduleKind::Interleaved,
     .name = "interleaved",
     .title = "Interleaved 1F1B",
     .torchClass = "ScheduleInterleaved1F1B",
     .makeRow = interleavedRow,
     .usualStages = 2,
     .runsRounds = true},
    {.kind = ScheduleKind::LoopedBfs,
     .name = "looped-bfs",
     .title = "Looped breadth-first",
     .torchClass = "ScheduleLoopedBFS",
     .makeRow = loopedBfsRow,
     .usualStages = 2},
    {.kind = ScheduleKind::ZeroBubble1,
     .name = "zb1p",
     .title = "Zero bubble (ZB1P)",
     .torchClass = "ScheduleInterleavedZeroBubble",
     .makeRow = zeroBubbleRow,
     .splitsBackward = true,
     .runsRounds = true,
     .isProposed = true},
    {.kind = ScheduleKind::ZeroBubbleV,
     .name = "zbv",
     .title = "Zero bubble, V (ZBV)",
     .torchClass = "ScheduleZBVZeroBubble",
     .makeRow = zeroBubbleVRow,
     .fixedStages = 2,
     .turnsBack = true,
     .splitsBackward = true},
    {.kind = ScheduleKind::DualPipeV,
     .name = "dualpipev",
     .title = "DualPipeV",
     .torchClass = "ScheduleDualPipeV",
     .makeRow = dualPipeVRow,
     .fixedStages = 2,
     .turnsBack = true,
     .splitsBackward = true,
     .fillsStages = true},
}};

Result<ScheduleKind> parseSchedule(std::string_view name)
{
    const auto found = std::ranges::find(scheduleTable, name, &ScheduleTraits::name);
    if (found == scheduleTable.end())
        return unknownName("schedule", name, scheduleTable);
    return found->kind;
}

std::size_t usualStagesPerDevice(ScheduleKind kind, std::size_t now)
{
    const ScheduleTraits& traits = traitsOf(kind);
    return traits.fixedStages.value_or(std::max(traits.usualStages, now));
}

Result<Schedule> makeSchedule(ScheduleKind kind, std::size_t stageCount, std::size_t deviceCount,
                              std::size_t microbatches)
{
    STAGECRAFT_TRY(checkShape(traitsOf(kind), stageCount, deviceCount, microbatches));
    Schedule schedule{.stageCount = stageCount, .microbatches = microbatches};
    for (std::size_t stage = 0; stage < stageCount; ++stage) {
        const bool wayBack = traitsOf(kind).turnsBack && stage >= deviceCount;
        schedule.deviceOfStage.push_back(wayBack ? stageCount - 1 - stage : stage % deviceCount);
    }
    for (std::size_t device = 0; device < deviceCount; ++device) {
        RowShape shape{.device = device, .devices = deviceCount, .microbatches = microbatches};
        for (std::size_t stage = device; stage < stageCount; stage += deviceCount)
            shape.stages.push_back(stage);
        schedule.devices.push_back(traitsOf(kind).makeRow(shape));
    }
    return schedule;
}

std::vector<std::size_t> peakInFlight(const Schedule& schedule)
{
    std::vector<std::size_t> alive(schedule.stageCount, 0);
    std::vector<std::size_t> peak(schedule.stageCount, 0);
    for (const Row& row : schedule.devices) {
        for (const Action& action : row) {
            if (action.kind == ActionKind::Forward)
                peak[action.stage] = std::max(peak[action.stage], ++alive[action.stage]);
            else if (action.kind != ActionKind::BackwardInput)
                --alive[action.stage];
        }
    }
    return peak;
}

} // namespace stagecraft
