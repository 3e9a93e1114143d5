// PartitionOptions: what a person asks of a plan.
#pragma once

#include "core/base/named.h"
#include "core/plan/partition.h"
#include "core/plan/runtime.h"
#include "core/recompute/recompute_policy.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

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
    std::size_t stagesPerDevice = 1; // of the schedules that leave the choice
    SendKind send = SendKind::Relay;
    PipelineRuntime runtime = PipelineRuntime::Ideal; // whose buffers count as memory of the stages
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
    RecomputePolicy recompute; // what runs again in backward; in problems and solved plans with its regions

    // Stages that take turns on a device, all devices alike: as the schedule must have it, or as chosen.
    std::size_t stagesEach() const { return traitsOf(schedule).turnsBack ? 2 : stagesPerDevice; }
    // stageCount = deviceCount() * stagesEach() in options that pass checkOptions.
    std::size_t deviceCount() const { return stageCount / std::max<std::size_t>(1, stagesEach()); }
    // Is there a stage that may not hold what it likes? Empty limits are none.
    bool limitsMemory() const
    {
        return std::ranges::any_of(memoryLimits, [](Bytes limit) { return limit < Bytes::max(); });
    }
    // Do several stages run on one device? Then their loads and their memory add up.
    bool sharesDevices() const { return stagesEach() > 1; }
    // Handing on from stage `boundary` to the next costs nothing where both run on one device: at the turn of
    // a V.
    bool crossesDevices(std::size_t boundary) const
    {
        if (send == SendKind::Direct || !sharesDevices())
            return true;
        return traitsOf(schedule).turnsBack ? 2 * (boundary + 1) != stageCount
                                            : stagesPerDevice != stageCount;
    }

    friend bool operator==(const PartitionOptions&, const PartitionOptions&) = default;
};

// What is counted of each stage: the objective, but Sum where it is the time of a step.
inline Objective objectiveOfLoads(const PartitionOptions& options)
{
    return options.objective == Objective::Iteration ? Objective::Sum : options.objective;
}

// How many stages there are and what they run on, as far as a person says; the rest follows from
//
//     stages = devices x stages a device
//
struct StageCounts
{
    std::optional<std::size_t> stages;
    std::optional<std::size_t> devices;
    std::optional<std::size_t> perDevice;
};

// Puts them into the options, whose schedule is chosen already. Where nothing else follows there are four
// devices, and as many stages on each as the schedule usually has (usualStagesPerDevice); but
// stages that are given alone have a device each, where the schedule lets them. Fails, in one line, where the
// numbers contradict each other or the schedule.
Result<void> setStageCounts(PartitionOptions& options, const StageCounts& counts);
// Another schedule, or another number of stages on each, for the same devices: the number of stages follows,
// and the objective where it was the usual one.
void setSchedule(PartitionOptions& options, ScheduleKind kind);
void setStagesPerDevice(PartitionOptions& options, std::size_t each);

// Speeds, limits and links by stage for the number of stages that there is now: those of stages to come are
// the last one's. What is given once for all stays so.
void fitToStages(PartitionOptions& options);

// What a plan is searched for unless a person says otherwise. The slowest stage sets the pace where each has
// a device of its own. Where stages share devices the slowest device may be short with all its work in one of
// them, and the others as good as empty, which makes all wait: there it is the simulated step.
Objective usualObjective(const PartitionOptions& options);

// "4 stages", "8 stages on 4 devices".
std::string stagingText(const PartitionOptions& options);

// The schedule that the options name, for their number of stages, devices and microbatches.
Result<Schedule> scheduleOf(const PartitionOptions& options);

// Parts of the options that can be checked without a model: counts, speeds, links, limits. One line each.
Result<void> checkOptions(const PartitionOptions& options);

inline constexpr NameTable<SendKind, 2> sendKinds{
    "way to send",
    {{{SendKind::Relay, "relay", "From stage to stage"},
      {SendKind::Direct, "direct", "Straight to each reader"}}}};
inline constexpr NameTable<Objective, 4> objectives{
    "objective",
    {{{Objective::Sum, "sum", "Slowest device, with transfers"},
      {Objective::Compute, "compute", "Slowest device, computing alone"},
      {Objective::Overlap, "overlap", "Slowest device, transfers beside"},
      {Objective::Iteration, "iteration", "Time of a step"}}}};
inline std::string_view sendName(SendKind kind)
{
    return nameOf(sendKinds, kind);
}
inline std::string_view objectiveName(Objective kind)
{
    return nameOf(objectives, kind);
}

} // namespace stagecraft
