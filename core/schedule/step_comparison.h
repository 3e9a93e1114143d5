// A measured step laid over the planned one, slot by slot, and what explains the difference.
//
//     planned    device 1  F0 F1 ..... B0 B1
//     measured   device 1  F0  F1 ........ B0  B1
//
// Times are of one step, from the beginning of its first slot.
#pragma once

#include "core/schedule/measured_step.h"

namespace stagecraft {

// One slot in both steps.
struct SlotComparison
{
    Action action;
    std::size_t device = 0;
    Seconds plannedStart;
    Seconds plannedEnd;
    Seconds measuredStart;
    Seconds measuredEnd;

    Seconds longer() const { return (measuredEnd - measuredStart) - (plannedEnd - plannedStart); }
    Seconds later() const { return measuredStart - plannedStart; }
};

// What a stage computes in the step, all of its slots together, and what the difference does to the step.
struct StageComparison
{
    Seconds planned;
    Seconds measured;
    Seconds effect; // how much longer the step is because this stage differs from the plan as others do not
};

struct DeviceComparison
{
    Seconds plannedBusy; // computing
    Seconds measuredBusy;
    double plannedIdleShare = 0; // of the time from the first slot to the last of all; 0 .. 1
    double measuredIdleShare = 0;
};

// What makes the measured step longer than the planned one (less than 0: shorter). These add up to the
// difference of the two steps:
//
//     measured step - planned step = pace + all stages' effects + sends + waiting + outside
//
// Each is what the simulated step gains when one thing after the other is as it was measured: first all
// stages slower by one factor, the middle one of the stages' factors (`pace`); then each stage as slow as it
// was, in several orders, of which the mean is taken, for what a stage does depends on which others are slow;
// then the sends. What is left of the time from the first slot to the last is `waiting`; what the step takes
// outside of that, `outside`.
struct StepDifference
{
    Seconds planned; // the steps themselves
    Seconds measured;
    double paceFactor = 1; // what stages usually take, measured / planned
    Seconds pace;
    std::optional<Seconds> sends; // none: not measured, and part of `waiting`
    Seconds waiting;              // microbatches that differ, delays between slots, sends slower than alone
    Seconds outside; // before the first slot and after the last: handing out the batch, shared gradients

    Seconds total() const { return measured - planned; }
};

struct StepComparison
{
    std::vector<SlotComparison> actions; // by device, then in the order in which it ran them
    std::vector<StageComparison> stages;
    std::vector<DeviceComparison> devices;
    StepDifference difference;
};

// `planned` is what simulate(schedule, costs) gives, `measured` what measuredStep(schedule, ...) gave. Fails
// where they are not of one schedule, and as simulate() does. Takes up to some seconds where there are many
// thousands of slots.
Result<StepComparison> compareSteps(const Schedule& schedule, const ScheduleCosts& costs,
                                    const Timeline& planned, const MeasuredStep& measured);

} // namespace stagecraft
