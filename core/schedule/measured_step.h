// A step as it really ran: what processes say of it, brought into the order of a plan and to one clock.
//
//     files ─core/measure─► StepRecord ─measuredStep─► MeasuredStep ─┐
//                                           Timeline (planned)  ─────┴─compareSteps─► StepComparison
//
// A slot is one action: what one stage computes for one microbatch, forward, backward or a half of it. What
// it is compared with, and what explains the difference: schedule/step_comparison.h.
#pragma once

#include "core/schedule/simulate.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// Computing alone: what lies between its slots a process waited, received, sent, or did something else.
struct MeasuredSlot
{
    Action action;
    Seconds start; // by the clock of its process
    Seconds end;
};

// What one process says.
struct RankRecord
{
    std::string source;   // for messages: "times.json: rank 2"
    std::size_t rank = 0; // its number in torch.distributed; processes may have any, each its own
    std::vector<MeasuredSlot> actions; // in any order
};

// From a stage to a later one, measured alone, outside of the step: what one microbatch takes.
struct MeasuredSend
{
    std::size_t from = 0;
    std::size_t to = 0; // > from
    Seconds forward;
    Seconds backward;
};

struct StepRecord
{
    std::vector<RankRecord> ranks;
    std::optional<std::vector<MeasuredSend>> sends; // none: not measured
    std::optional<Seconds> whole; // of the step with what comes before its first slot and after its last
};

struct MeasuredStep
{
    // By device and time, as simulate() has it: `start` and `end` are measured, transfers take no time, what
    // no slot fills is idle; it has no memory and no critical path. Times are from the beginning of the first
    // slot of all. Device i ran the plan's stages of device i.
    Timeline timeline;
    std::vector<std::size_t> ranks;  // device by device, the number of the process
    std::vector<Seconds> clockShift; // device by device, by how much its clock was set forward
    std::optional<std::vector<MeasuredSend>> sends;
    std::optional<Seconds> whole; // >= timeline.makespan
    std::string note;             // not empty: why these may not be times of one step

    Seconds step() const { return whole.value_or(timeline.makespan); }
};

// Brings what processes say into the order of the plan's devices, and their clocks together. Each process is
// the device whose stages it ran. Clocks are taken to show the same time (the run-time starts them at a
// barrier; torch.profiler's are those of the hosts), and only where a slot would begin before that of another
// process has ended which it waits for, the clock of the one that waits is set forward, by as little as makes
// all of that possible. PyTorch runs two halves of a backward pass that follow each other as one; its time is
// shared out as that of halves that the stage ran apart, evenly where there are none.
//
// Fails, naming the source, where a slot of the schedule is missing, there twice, or none of the schedule's;
// where two processes ran stages of one device or none ran a device's; where a process ran its slots in
// another order than the schedule has them, or two at a time; where times are no finite numbers or run
// backwards; and where no setting of clocks makes sense of what was waited for: then these are not times of
// one step. Where no sends were measured, it is only said in the note that backward passes make no sense: of
// a stage with nothing to train they wait for nobody.
Result<MeasuredStep> measuredStep(const Schedule& planned, const StepRecord& record);

} // namespace stagecraft
