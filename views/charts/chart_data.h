// ChartData: what the charts along the execution axis show of a plan: plain numbers, no drawing.
#pragma once

#include "views/charts/chart_curves.h"
#include "views/charts/execution_scale.h"

namespace stagecraft {

struct ChartData
{
    PlanView plan;
    ExecutionAxis axis = ExecutionAxis::OpIndex;
    StageOrder order;
    ExecutionScale scale;
    Table<NodeId, std::size_t> placeOf; // in the stage order
    MemoryCurve memory;
    TimeScale times;
    std::vector<Bytes> across; // before each op, and after the last

    // Anew only what is another than in the plan before.
    void setPlan(const PlanView& next);
    void setAxis(ExecutionAxis next);

    bool isOfSameModel(const PlanView& next) const;
    bool hasCurves() const { return plan.profile && scale.opCount() > 0; }
    bool isTraining() const { return plan.profile && plan.profile->options.mode == TrainingMode::Train; }
    const NodeCost& costAt(std::size_t place) const { return plan.profile->nodes[order.nodes[place]]; }
    // Where the op at `place` is, between its two ends.
    double middleOf(std::size_t place) const { return (scale.places[place] + scale.places[place + 1]) / 2; }

    struct Span
    {
        std::size_t first = 0;
        std::size_t end = 0; // behind the last op
    };
    // The ops of each stage; none where there are no curves.
    std::vector<Span> stages() const;
    // Runs of the ops among `nodes`; after `most` of them all that follows is one.
    std::vector<Span> runsOf(const std::vector<NodeId>& nodes, std::size_t most) const;
};

} // namespace stagecraft
