// Partition: which stage each node belongs to; and what a plan costs.
//
// A partition is monotone: along every edge of the graph the stage never falls. Costs that anybody is shown
// are those of evaluate() (plan/evaluate.h).
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/graph/argument.h"
#include "core/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

using StageId = Id<struct StageTag>;
// The boundary between stage i and stage i + 1 has index i.
using BoundaryId = Id<struct BoundaryTag>;

struct Partition
{
    std::size_t stageCount = 1;
    Table<NodeId, StageId> stageOf;

    friend bool operator==(const Partition&, const Partition&) = default;
};

// Everything in one stage.
Partition singleStage(std::size_t nodeCount);
std::vector<std::vector<NodeId>> nodesByStage(const Partition& partition);

enum class SendKind : std::uint8_t {
    Relay,  // handed from stage to stage
    Direct, // from the producer's stage to each stage that reads it
};

enum class Objective : std::uint8_t {
    Sum,       // compute + receive + send of the slowest stage
    Compute,   // compute alone
    Overlap,   // the largest of compute, receive, send: transfers run beside the computing
    Iteration, // the simulated time of a step; loads are those of Sum
};

// What a stage has alive above what it saves while its nodes run one after the other (stage_turns.h).
struct StageTurns
{
    Bytes forward;
    Bytes backward = {};  // where it goes back at once; with gradients that it makes and sends
    Bytes firstPart = {}; // of a backward pass in two; likewise, and with what waits for the second

    friend bool operator==(const StageTurns&, const StageTurns&) = default;
};

// Times are of one microbatch.
struct StageCost
{
    std::size_t nodeCount = 0;
    Seconds forward;
    Seconds backwardInput;
    Seconds backwardWeight;
    Seconds recomputed; // of backwardInput: forward passes that are run again
    Seconds receive;    // exchanged with earlier stages: activations come in, their gradients go back
    Seconds send;       // exchanged with later stages
    Seconds load;       // what the objective counts of these: total() unless the options say otherwise
    Bytes parameterBytes;
    Bytes stateBytes;     // parameters, gradients, optimizer state, buffers
    Bytes savedBytes;     // of one microbatch in flight
    int inFlight = 1;     // microbatches whose activations are alive at once, by schedule and position
    Bytes transientBytes; // the most that is alive besides while it runs: the largest of the next three
    Bytes nodeBytes;      // while one node, or region, does
    StageTurns turns;     // while nodes do so one after the other
    Bytes waitingBytes;   // of the peak: gradients between the two parts of split backward passes
    Bytes releasedBytes;  // of savedBytes x inFlight: let go by the peak, between these parts
    Bytes runtimeBytes;   // of the peak: what the run-time of the pipeline holds (PartitionOptions::runtime)
    Bytes peakMemory;
    Bytes memoryLimit = Bytes::max();

    Seconds compute() const { return forward + backwardInput + backwardWeight; }
    Seconds total() const { return compute() + receive + send; }
    // Of the peak, what other microbatches have than the one that runs, where each keeps so much.
    Bytes ofOthers(Bytes saved) const { return saved * (inFlight - 1) + waitingBytes - releasedBytes; }
    bool fits() const { return peakMemory <= memoryLimit; }
};

struct BoundaryCost
{
    std::vector<ValueId> values; // what crosses forward, largest first
    Bytes forwardBytes;
    Bytes backwardBytes; // gradients of those that need one
    Seconds time;        // of one microbatch over the link, both directions
};

// What the stages of one device take together; a device of one stage takes what the stage takes.
struct DeviceCost
{
    std::vector<StageId> stages; // ascending
    Seconds load;                // sum of theirs
    double idle = 0;             // share of the step in which it computes nothing, 0 .. 1
    Bytes peakMemory;            // the most that they hold at once, in the order of the schedule
    Bytes memoryLimit = Bytes::max();

    bool fits() const { return peakMemory <= memoryLimit; }
};

struct PlanCost
{
    Table<StageId, StageCost> stages;
    Table<BoundaryId, BoundaryCost> boundaries;
    std::vector<DeviceCost> devices;
    Objective objective = Objective::Sum; // says what counts as load
    std::size_t slowestDevice = 0;        // its load is the greatest
    StageId bottleneck{0};                // the slowest stage of that device
    Seconds bottleneckTime;               // load of that device
    Seconds iteration;                    // simulated, all microbatches
    double bubble = 0;                    // mean of the devices' idle shares, 0 .. 1
    Bytes bytesSent;                      // of one microbatch, both directions, all links

    bool fits() const;
    bool sharesDevices() const { return !devices.empty() && devices.size() < stages.size(); }
    // That a stage runs on.
    std::size_t deviceOf(StageId stage) const;
    Bytes peakMemory() const; // of the fullest device
};

// Does it take no longer a step, need no more on its fullest device and send no more, and less of one?
bool dominates(const PlanCost& plan, const PlanCost& other);

// A value that no plan can beat, and why.
struct Bound
{
    Seconds value;
    std::string kind;            // "area", "heaviest node", "windows", "windows and cuts", "search"
    std::vector<NodeId> witness; // nodes that force it, where there are such
};

struct Solution
{
    Partition partition;
    PlanCost cost;
    Bound bound;
    Seconds iterationBound; // no plan's step takes less; 0: not looked for (search/bound/step_bound.h)
    Seconds solveTime;
    bool cutShort = false; // by the clock or by a person: another run may find another plan

    // (cost - bound) / cost, 0 .. 1: how far from the best possible this plan can be at most.
    double gap() const;
    // Within 1e-4 of the bound.
    bool proven() const;
};

} // namespace stagecraft
