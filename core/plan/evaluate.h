// evaluate: what a plan costs. All figures that anybody is shown are its, and tests hold the faster
// reckonings of the search against it.
//
// Per stage, of one microbatch, by the rules of stage_cost.h:
//     compute   sum of forward + backward times / speed of the stage
//     send, receive, load, memory
//     backward  where the schedule splits it in two, a stage with a checkpoint region does all of it in the
//               first part, as its export does: a second part would run the region again
// An empty stage costs nothing, and values pass it by. Stages that take turns on a device
// (options.stagesPerDevice) load it together; what they hold at once is the simulation's to say, as is the
// time of all microbatches.
#pragma once

#include "core/plan/problem.h"
#include "core/schedule/simulate.h"

#include <memory>
#include <span>

namespace stagecraft {

// `partition` must be legal (checkPartition).
PlanCost evaluate(const PartitionProblem& problem, const Partition& partition);

// What the simulator needs to know of a plan: to run it in another order (Schedule) than its options name.
ScheduleCosts scheduleCosts(const PartitionProblem& problem, const Partition& partition);

// The same figures while a plan is changed bit by bit, as when a boundary is dragged: a move costs what the
// moved nodes touch, not the whole graph. Equal to evaluate() at any time. Keeps a reference to the problem.
class PlanEvaluator
{
public:
    PlanEvaluator(const PartitionProblem& problem, Partition partition);
    ~PlanEvaluator();
    PlanEvaluator(PlanEvaluator&&) noexcept;
    PlanEvaluator& operator=(PlanEvaluator&&) noexcept;

    const Partition& partition() const;
    void move(NodeId node, StageId stage);
    // Moves whatever stands differently in `partition`, which has as many stages.
    void moveTo(const Partition& partition);
    PlanCost cost() const;
    Result<Timeline> timeline() const;
    ScheduleCosts scheduleCosts() const;
    // Of the slowest device, and nothing else: cheap.
    Seconds bottleneckTime() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stagecraft
