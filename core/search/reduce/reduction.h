// ReducedProblem: a PartitionProblem as the search sees it.
//
// Nodes that must share a stage are one *group*: colocated ones, those on a cycle of precedences, and, where
// that cannot make a plan worse, groups without time that touch only one other. Groups are numbered in a
// topological order (the one nearest to program order), values are sets of groups. Times are plain doubles:
// seconds on a device of speed 1.
#pragma once

#include "core/base/id.h"
#include "core/base/work_budget.h"
#include "core/plan/runtime_memory.h"
#include "core/plan/stage_cost.h"
#include "core/search/reduce/search_features.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace stagecraft {

// Of a ReducedProblem; ascending in its topological order.
using ReducedGroupId = Id<struct ReducedGroupTag>;

struct ReducedValue
{
    std::vector<ReducedGroupId> pins; // producer and readers, ascending, distinct
    ReducedGroupId producer{0};
    TransferSize forward;
    TransferSize backward;
    TransferSize size;                   // both
    bool returned = false;               // the last stage must have it
    bool readByProducer = false;         // by its group
    std::vector<ReducedGroupId> keepers; // whose `held` has it
    bool isReleased = false;             // by them, after the first part of a split backward pass
    Bytes inFront = {};                  // ProblemValue::inFront
};

struct ReducedShared
{
    HeldBytes held;
    std::vector<ReducedGroupId> users; // ascending, at least two
};

// What stages hold beside parts that are shared.
struct ReducedParted
{
    Bytes bytes;
    std::vector<KeptPart<ReducedGroupId>> parts;
    bool isReleased = false;

    template <class IsInStage>
    HeldBytes heldIn(IsInStage&& isInStage) const
    {
        return heldBeside(bytes, parts, isReleased, isInStage);
    }
};

struct ReducedGroup
{
    double seconds = 0; // of `compute` in all
    ComputeTimes compute;
    HeldBytes held; // of it alone
    HeldBytes
        least; // with what it shares and is the first user of: groups of a stage hold no less than the sum
    Transients transients;
    bool recomputes = false;    // a part of it lies in a checkpoint region
    std::size_t firstStage = 0; // that pins and precedences leave it
    std::size_t lastStage = 0;
    bool sinkable = false;     // in some best plan it is in the stage of the first of those behind it
    std::vector<NodeId> nodes; // ascending
    std::vector<ReducedGroupId> before; // direct predecessors
    std::vector<ReducedGroupId> after;  // direct successors
    std::vector<std::uint32_t> values;  // indices of values it has a part in
    std::vector<std::uint32_t> keeps;   // likewise, that it keeps and has no part in
    std::vector<std::uint32_t> shared;
    std::vector<std::uint32_t> parted;    // distinct
    std::vector<std::uint32_t> forward;   // turns of ReducedProblem::turns, ascending
    std::vector<std::uint32_t> backward;  // likewise
    std::vector<std::uint32_t> firstPart; // likewise, where a backward pass is in two
    Bytes mostInTurns;                    // what a stage may have alive in them for each of its groups
};

// What groups take together that are all of a stage: sums, but for `transients`, the most of any.
struct StageFigures
{
    double compute = 0; // at speed 1
    TransferSize in;    // exchanged with earlier stages
    TransferSize out;
    HeldBytes held;
    Transients transients;

    // All but transfers and what groups share or keep in parts.
    void add(const ReducedGroup& group)
    {
        compute += group.seconds;
        held += group.held;
        transients.add(group.transients);
    }
};

struct ReducedProblem
{
    PartitionOptions options;
    SearchFeatures features;
    std::size_t nodeCount = 0;
    Table<ReducedGroupId, ReducedGroup> groups; // topologically ordered
    std::vector<ReducedValue> values;
    std::vector<ReducedShared> shared;
    std::vector<ReducedParted> parted;
    std::vector<std::size_t> inFlight;            // by stage, what all surely hold that they save
    std::vector<std::vector<HeldCounts>> largest; // by stage
    RuntimeMemory runtime;
    Bytes mostInFront;                       // of any value
    std::shared_ptr<const TurnMemory> turns; // where some stage has a limit; null: not known
    Table<NodeId, ReducedGroupId> groupOf;   // where there are turns
    double totalSeconds = 0;
    bool limitsMemory = false;    // some stage has a limit
    bool mayJoinBackward = false; // stages may do both parts of a split backward pass at once
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
    // Are plans with empty stages looked at? Where groups were joined, one may seem empty that need not be.
    bool mayLeaveEmpty() const { return allowsEmpty() || joined; }

    // Of all storages in parts.
    template <class IsInStage>
    HeldBytes besideParts(IsInStage&& isInStage) const
    {
        HeldBytes held;
        for (const ReducedParted& each : parted)
            held += each.heldIn(isInStage);
        return held;
    }

    // Over the link behind stage `boundary`.
    double transfer(const TransferSize& size, std::size_t boundary) const
    {
        return linkTime(options, size, boundary).value();
    }
    // What the objective counts of a stage that is not empty.
    double load(std::size_t stage, const StageFigures& figures) const;
    // What the groups hold alone, at the least where mayJoinBackward, or with what the run-time holds of what
    // they exchange.
    bool fits(std::size_t stage, const StageFigures& figures) const;
    bool fitsExchanging(std::size_t stage, const StageFigures& figures, const HeldBytes& exchanged) const;
    // What the groups hold alone, at the least.
    StageHold holdOf(std::size_t stage, const StageFigures& figures) const;
    // Of that no less, from sums alone, where no two values are sent that their makers keep.
    HeldBytes mostExchanged(std::size_t stage, const StageFigures& figures) const;
};

enum class Joining : std::uint8_t {
    None,
    Lossless, // groups are joined where some best plan has them together
};

// Fails where pins contradict each other or the order, or where constraints leave fewer parts than
// stages.
Result<ReducedProblem> reduceProblem(const PartitionProblem& problem, Joining joining = Joining::Lossless,
                                     IsOver isOver = {}, const SearchFeatures& features = {});

using GroupStages = Table<ReducedGroupId, std::uint32_t>; // the stage of each

Partition expand(const ReducedProblem& reduced, const GroupStages& stages);

} // namespace stagecraft
