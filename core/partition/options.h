// PartitionOptions: what a person asks of a plan.
#pragma once

#include "core/partition/partition.h"

#include <optional>
#include <vector>

namespace stagecraft {

enum class Objective : std::uint8_t {
    Sum,       // compute + receive + send of the slowest stage
    Compute,   // compute alone
    Overlap,   // the largest of compute, receive, send: transfers run beside the computing
    Iteration, // the simulated time of a step; loads are those of Sum
};

enum class EmptyStages : std::uint8_t {
    Forbid, // exactly stageCount stages, each with at least one node
    Allow,  // at most that many
};

// From one stage to the next.
struct Link
{
    double bandwidth = 0; // bytes/s, one direction; 0: nothing to pay
    Seconds latency;      // of each message: a value, or its gradient

    friend bool operator==(const Link&, const Link&) = default;
};

struct Pin
{
    NodeId node;
    StageId stage;

    friend bool operator==(const Pin&, const Pin&) = default;
};

struct PartitionOptions
{
    std::size_t stageCount = 4;
    std::size_t microbatches = 8; // a step; the profile's batch is one of them
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    std::size_t stagesPerDevice = 1; // of the schedules that can; zbv always has 2
    SendKind send = SendKind::Relay;
    Objective objective = Objective::Sum;
    EmptyStages emptyStages = EmptyStages::Forbid;

    std::vector<double> speeds;      // of each stage's device, the profile's being 1; empty: all 1
    std::vector<Link> links;         // boundary by boundary; empty: all as the profile's device says
    std::vector<Bytes> memoryLimits; // stage by stage; one: of all; empty: none

    std::vector<Pin> pins;
    std::vector<std::vector<NodeId>> keepTogether; // each group in one stage
    std::vector<ValueId> neverCut;                 // stay in the stage that makes them

    Seconds timeLimit{10};
    std::uint64_t seed = 1;

    // Do several stages run on one device? Then their loads and their memory add up.
    bool sharesDevices() const { return schedule == ScheduleKind::ZeroBubbleV || stagesPerDevice > 1; }
    // Handing on from stage `boundary` to the next costs nothing where both run on one device: at the turn of
    // a V.
    bool crossesDevices(std::size_t boundary) const
    {
        if (send == SendKind::Direct || !sharesDevices())
            return true;
        return schedule == ScheduleKind::ZeroBubbleV ? 2 * (boundary + 1) != stageCount
                                                     : stagesPerDevice != stageCount;
    }

    friend bool operator==(const PartitionOptions&, const PartitionOptions&) = default;
};

// What is counted of each stage: the objective, but Sum where it is the time of a step.
inline Objective objectiveOfLoads(const PartitionOptions& options)
{
    return options.objective == Objective::Iteration ? Objective::Sum : options.objective;
}

// The schedule that the options name, for their number of stages, devices and microbatches.
Result<Schedule> scheduleOf(const PartitionOptions& options);

// Parts of the options that can be checked without a model: counts, speeds, links, limits. One line each.
Result<void> checkOptions(const PartitionOptions& options);

std::string_view sendName(SendKind kind);       // "relay", "direct"
std::string_view objectiveName(Objective kind); // "sum", "compute", "overlap", "iteration"
Result<SendKind> parseSend(std::string_view name);
Result<Objective> parseObjective(std::string_view name);

} // namespace stagecraft
