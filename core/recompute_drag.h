// RecomputeDrag: what a plan comes to while its boundaries are dragged and its stages choose what they
// recompute as their memory demands.
//
//     a stage that is as it was traced    what its nodes take and hold by that trace, between its neighbours
//     one whose nodes changed             its nodes without recomputation, and the choice for them on top
//
// The choice is an estimate (recompute_choice.h); it is taken to be off by as many bytes as it is for the
// stage as it was traced. Who drops the boundary has the plan traced.
#pragma once

#include "core/plan/evaluate.h"
#include "core/recompute_choice.h"

#include <memory>
#include <vector>

namespace stagecraft {

class RecomputeDrag
{
public:
    // `traced`: a plan of the chooser's model and options, with as many stages; `problem` has the figures of
    // its trace.
    RecomputeDrag(std::shared_ptr<const RecomputeChooser> chooser,
                  std::shared_ptr<const PartitionProblem> problem, Partition traced);

    // Does in advance what the first of() with a change to a stage would do besides.
    void lookAhead();
    // Of a legal partition with as many stages.
    PlanCost of(const Partition& partition);

private:
    std::optional<RecomputedStage> chosenFor(const Partition& partition, StageId stage, Bytes room,
                                             Bytes doubt) const;
    Bytes doubtOf(StageId stage);
    Bytes roomIn(PlanEvaluator& evaluator, StageId stage) const;

    std::shared_ptr<const RecomputeChooser> m_chooser;
    std::shared_ptr<const PartitionProblem> m_problem;
    Partition m_traced;
    PlanEvaluator m_evaluator; // of nodes that run nothing again, where their stage is not as it was traced
    PlanCost m_cost;           // as traced
    std::vector<std::optional<Bytes>> m_doubts; // by stage
};

} // namespace stagecraft
