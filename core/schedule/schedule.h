// Schedule: in which order every device runs the stages of a pipeline on the microbatches of a step.
//
// A table of actions, one row a device. It says the order only; what it takes, simulate() finds out from
// per-stage costs (schedule/simulate.h). With 4 stages and 4 microbatches 1F1B is
//
//     device 0   F0 F1 F2 F3 B0 B1 B2 B3
//     device 1   F0 F1 F2 B0 F3 B1 B2 B3
//     device 2   F0 F1 B0 F2 B1 F3 B2 B3
//     device 3   F0 B0 F1 B1 F2 B2 F3 B3
//
// The orders are those of torch.distributed.pipelining (schedules.py), so that what is planned here is what
// runs there.
#pragma once

#include "core/base/result.h"
#include "core/schedule/action.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

enum class ScheduleKind : std::uint8_t {
    OneFOneB,    // one forward, one backward
    GPipe,       // all forwards, then all backwards
    Interleaved, // 1F1B with several stages a device, given out in turn
    LoopedBfs,   // GPipe with several stages a device, given out in turn
    ZeroBubble1, // ZB1P: interleaved, the weight gradients fill the drain
    ZeroBubbleV, // ZBV: two stages a device, in a V
    DualPipeV,   // the same, and forwards run as one with backwards of other microbatches
};

// What there is to know of a schedule but its order of actions: another one is a kind, an entry in the table
// of schedule.cpp with what makes its rows, and its name in resources/python/stagecraft_runtime/schedules.py.
struct ScheduleTraits
{
    ScheduleKind kind;
    std::string_view name;       // on the command line, in plans and exports: "zb1p"
    std::string_view title;      // for people: "Zero bubble (ZB1P)"
    std::string_view torchClass; // of torch.distributed.pipelining
    std::vector<Action> (*makeRow)(const RowShape& shape);
    // How many stages a device runs, where the schedule leaves no choice; none: as many as wanted.
    std::optional<std::size_t> fixedStages;
    std::size_t usualStages = 1; // else: at the least, unless somebody says how many
    bool turnsBack = false;      // stages go to the devices in a V: the last device runs two in a row
    bool splitsBackward = false; // runs the input and the weight half of the backward pass apart
    bool runsRounds = false;     // a device takes its stages in turn, for so many microbatches each time
    bool fillsStages = false;    // needs at least as many microbatches as stages
    bool isProposed = false;     // where each stage has a device of its own, it is worth a try
};

// In the order in which they are offered, that of their kinds.
inline constexpr std::size_t scheduleCount = 7;
extern const std::array<ScheduleTraits, scheduleCount> scheduleTable;

inline const ScheduleTraits& traitsOf(ScheduleKind kind)
{
    return scheduleTable[static_cast<std::size_t>(kind)];
}
inline std::string_view scheduleName(ScheduleKind kind)
{
    return traitsOf(kind).name;
}
// Does it run the input and the weight half of the backward pass apart?
inline bool splitsBackward(ScheduleKind kind)
{
    return traitsOf(kind).splitsBackward;
}
// Reads a name as above; fails with the list of those there are.
Result<ScheduleKind> parseSchedule(std::string_view name);
// What somebody who has `now` stages a device and turns to `kind` should have: as it must be, or the same;
// but interleaved and looped BFS are made for two at least.
std::size_t usualStagesPerDevice(ScheduleKind kind, std::size_t now = 1);

struct Schedule
{
    std::size_t stageCount = 1;
    std::size_t microbatches = 1;
    std::vector<std::size_t> deviceOfStage;
    std::vector<std::vector<Action>> devices; // what each runs, in order

    std::size_t deviceCount() const { return devices.size(); }
};

// The schedule of `kind` for `stageCount` stages on `deviceCount` devices. Fails where the kind cannot be
// laid out so: GPipe and 1F1B take one stage a device, ZBV and DualPipeV two, the looped ones any number, all
// devices alike.
Result<Schedule> makeSchedule(ScheduleKind kind, std::size_t stageCount, std::size_t deviceCount,
                              std::size_t microbatches);

// How many microbatches of activations each stage holds at the most, whatever the durations: the order of a
// device alone decides it. GPipe: all; 1F1B: min(microbatches, stages - stage).
std::vector<std::size_t> peakInFlight(const Schedule& schedule);

// Each action of the graph model is there once and the devices can run their rows without a deadlock. Fails
// naming the first action that is missing, doubled or stuck; the tables of torch.distributed.pipelining are
// read and written by schedule/schedule_csv.h.
Result<void> checkSchedule(const Schedule& schedule);

} // namespace stagecraft
