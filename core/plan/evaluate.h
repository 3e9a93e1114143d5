// evaluate: what a plan costs. All figures that anybody is shown are its, and tests hold the faster
// reckonings of the search against it.
//
// Per stage, of one microbatch, by the rules of stage_cost.h:
//     compute   sum of forward + backward times / speed of the stage
//     send, receive, load, memory
//     backward  where the schedule splits it in two, a stage with a checkpoint region does all of it in the
//               first part, as its export does: a second part would run the region again.
//               Then it holds nothing for the second
// An empty stage costs nothing, and values pass it by. Stages that take turns on a device
// (options.stagesPerDevice) load it together; what they hold at once is the simulation's to say, as is the
// time of all microbatches.
#pragma once

#include "core/plan/node_index.h"
#include "core/plan/runtime_memory.h"
#include "core/plan/stage_cost.h"
#include "core/schedule/simulate.h"

#include <optional>
#include <vector>

namespace stagecraft {

// `partition` must be legal (checkPartition).
PlanCost evaluate(const PartitionProblem& problem, const Partition& partition);

// What the simulator needs to know of a plan: to run it in another order (Schedule) than its options name.
ScheduleCosts scheduleCosts(const PartitionProblem& problem, const Partition& partition);

// What a stage runs again, and holds for it, of one microbatch on a device of speed 1.
struct RecomputedStage
{
    Seconds added;   // to its backward pass
    Bytes saved;     // from forward to backward, all of the stage
    Bytes transient; // while one node or region runs
    StageTurns turns = {};
};

// From the first to the last stage that holds a value's producer or a reader.
struct StagesOfValue
{
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    bool crosses(std::size_t boundary) const { return first <= boundary && boundary < last; }
    friend bool operator==(const StagesOfValue&, const StagesOfValue&) = default;
};

// The same figures while a plan is changed bit by bit, as when a boundary is dragged: a move costs what the
// moved nodes touch, not the whole graph. Equal to evaluate() at any time. Keeps a reference to the problem.
class PlanEvaluator
{
public:
    PlanEvaluator(const PartitionProblem& problem, Partition partition);

    void move(NodeId node, StageId stage);
    // Moves whatever stands differently in `partition`, which has as many stages.
    void moveTo(const Partition& partition);
    // For nodes that run nothing again, in the place of what they save: from now on, whichever they are.
    // None: as they are.
    void setRecomputation(StageId stage, const std::optional<RecomputedStage>& recomputation);
    // What nodes of a stage take and hold, as the same model has it with other regions: from now on,
    // whichever they are. It outlives who refers to it. Null: as the evaluator's own problem has it.
    void setFigures(StageId stage, const PartitionProblem* figures);
    PlanCost cost();
    // Of that the stage's, without what the plan comes to.
    const StageCost& costOf(StageId stage);
    ScheduleCosts scheduleCosts();

private:
    StagesOfValue rangeOf(const ProblemValue& value) const;
    void markValue(std::size_t value, StagesOfValue before, StagesOfValue after);
    void refresh();
    const PartitionProblem& figuresOf(std::size_t stage) const;
    template <class Visit>
    void forEachFigures(Visit&& visit) const;
    void addNodes();
    void addShared();
    template <class Pay>
    void forEachPaid(Pay&& pay) const;
    void addTransfers();
    void addTurns();
    HeldBytes heldByRuntime(std::size_t value, std::size_t stage, Payment way) const;
    void takeRecomputation(std::size_t stage);
    void finishStage(std::size_t stage);
    void collectBoundaries();
    Bytes bytesSent() const;
    std::vector<DeviceCost> deviceCosts() const;

    const PartitionProblem& m_problem;
    Partition m_partition;
    Schedule m_schedule;
    std::vector<std::vector<HeldCounts>> m_largest; // by stage
    RuntimeMemory m_runtime;
    std::vector<StagesOfValue> m_ranges; // value by value
    std::vector<std::size_t> m_nodeCounts;
    std::size_t m_lastStage = 0;      // the last that is not empty: it returns what the model returns
    std::optional<NodeIndex> m_index; // made at the first move

    std::vector<StageCost> m_stages;
    std::vector<StageTimes> m_times;
    std::vector<ComputeTimes> m_computes; // at speed 1
    std::vector<HeldBytes> m_held;
    std::vector<HeldBytes> m_heldByRuntime; // besides
    std::vector<Transients> m_transients;
    std::vector<StageTurns> m_turns;
    std::vector<char> m_recomputes; // stage by stage: has it a checkpoint region?
    std::vector<std::optional<RecomputedStage>> m_recomputations; // that were set
    std::vector<const PartitionProblem*> m_figures;               // likewise; null: m_problem
    std::vector<BoundaryCost> m_boundaries;
    std::vector<char> m_stageDirty;
    std::vector<char> m_boundaryDirty;
};

} // namespace stagecraft
