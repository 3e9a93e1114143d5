// ReducedProblem: a PartitionProblem as the search sees it.
//
// Nodes that must share a stage are one *group*: colocated ones, those on a ring of precedences, and, where
// that cannot make a plan worse, groups without time that touch only one other. Groups are numbered in a
// topological order (the one nearest to program order), values are sets of groups. Times are plain doubles:
// seconds on a device of speed 1.
#pragma once

#include "core/base/work_budget.h"
#include "core/plan/problem.h"

#include <cstdint>
#include <vector>

namespace stagecraft {

using GroupIndex = std::uint32_t;

// What goes over a link takes messages * latency + bytes / bandwidth + fixed.
struct TransferSize
{
    double messages = 0;
    double bytes = 0;
    double fixed = 0;

    TransferSize& operator+=(const TransferSize& other)
    {
        messages += other.messages;
        bytes += other.bytes;
        fixed += other.fixed;
        return *this;
    }
    TransferSize& operator-=(const TransferSize& other)
    {
        messages -= other.messages;
        bytes -= other.bytes;
        fixed -= other.fixed;
        return *this;
    }
};

struct ReducedValue
{
    std::vector<GroupIndex> pins; // producer and readers, ascending, distinct
    GroupIndex producer = 0;
    TransferSize size;
    bool returned = false; // the last stage must have it
};

struct ReducedShared
{
    std::int64_t bytes = 0;
    std::vector<GroupIndex> users; // ascending, at least two
};

struct ReducedGroup
{
    double time = 0;
    std::int64_t state = 0;
    std::int64_t saved = 0;
    std::int64_t transient = 0;
    std::size_t firstStage = 0; // that pins and precedences leave it
    std::size_t lastStage = 0;
    bool lazy = false;                 // in some best plan it is in the stage of the first of those behind it
    std::vector<NodeId> nodes;         // ascending
    std::vector<GroupIndex> before;    // direct predecessors
    std::vector<GroupIndex> after;     // direct successors
    std::vector<std::uint32_t> values; // indices of values it has a part in
    std::vector<std::uint32_t> shared;
};

// Cost of a stage that computes for `compute` seconds at speed 1 and exchanges so much with earlier and later
// stages.
struct StageFigures
{
    double compute = 0;
    TransferSize in;
    TransferSize out;
    std::int64_t state = 0;
    std::int64_t saved = 0;
    std::int64_t transient = 0;
};

struct ReducedProblem
{
    PartitionOptions options;
    std::size_t nodeCount = 0;
    std::vector<ReducedGroup> groups; // topologically ordered
    std::vector<ReducedValue> values;
    std::vector<ReducedShared> shared;
    std::vector<std::size_t> inFlight; // by stage
    double totalTime = 0;
    bool limitsMemory = false; // some stage has a limit
    bool uniform =
        false; // stages and links are alike, without limits or pins: only the order of stages counts
    bool interchangeable =
        false;           // uniform, or with limits that are alike too: an empty stage may be anywhere
    bool joined = false; // light groups were joined: a stage may come out empty that need not be
    IsOver isOver;       // asked by all that works on this problem

    std::size_t size() const { return groups.size(); }
    bool over() const { return isOver && isOver(); }
    std::size_t stageCount() const { return options.stageCount; }
    bool allowsEmpty() const { return options.emptyStages == EmptyStages::Allow; }

    // Over the link behind stage `boundary`.
    double transfer(const TransferSize& size, std::size_t boundary) const
    {
        if (!options.crossesDevices(boundary))
            return 0;
        const Link& link = options.links[boundary];
        return size.messages * link.latency.value() + (link.bandwidth > 0 ? size.bytes / link.bandwidth : 0) +
               size.fixed;
    }
    // What the objective counts of a stage that is not empty.
    double load(std::size_t stage, const StageFigures& figures) const;
    bool fits(std::size_t stage, const StageFigures& figures) const;
};

enum class Joining : std::uint8_t {
    None,
    Lossless, // groups are joined where some best plan has them together
};

// Fails where pins stand against each other or against the order, or where constraints leave fewer parts than
// stages.
Result<ReducedProblem> reduceProblem(const PartitionProblem& problem, Joining joining = Joining::Lossless,
                                     IsOver isOver = {});

using GroupStages = std::vector<std::uint32_t>; // the stage of each group

// Figures of every stage; the same as evaluate() finds. Empty stages have none.
std::vector<StageFigures> stageFigures(const ReducedProblem& reduced, const GroupStages& stages);
// The largest load; infinite where a memory limit is broken or an empty stage is forbidden.
double bottleneckOf(const ReducedProblem& reduced, const GroupStages& stages);

Partition expand(const ReducedProblem& reduced, const GroupStages& stages);

} // namespace stagecraft
