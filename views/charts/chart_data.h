// ChartData: what the charts along the execution axis show of a plan: plain numbers, no drawing.
#pragma once

#include "views/base/plan_view.h"
#include "views/charts/execution_scale.h"
#include "views/charts/value_scale.h"

#include <QString>

#include <span>
#include <vector>

namespace stagecraft {

// What the device that runs the stage holds when each op runs (bytes by place in the stage order):
//     state + (inFlight - 1) * saved + what this microbatch has made in the stage so far.
// Without a plan: parameters, gradients and optimizer state of the whole model, and what is alive.
struct MemoryCurve
{
    std::vector<double> held;    // by op
    std::vector<double> without; // by op: the same where nothing runs again; empty: nothing does
    // By op: the most that its region takes at a time while it runs again, beside all that stages keep; 0: it
    // is in none. Empty: nothing runs again.
    std::vector<double> again;
    std::vector<double> kept;   // by stage: state and all that is kept
    std::vector<double> state;  // by stage: what is there before any op runs
    std::vector<double> peaks;  // by stage: the plan's figure, backward included
    std::vector<double> limits; // by stage; infinity: none
    double highest = 0;         // of all of held and peaks
};
MemoryCurve memoryCurve(const PlanView& plan, const StageOrder& order);

// Bytes that a boundary at each position (0 .. number of ops) would send for one microbatch, gradients
// included: values made before it and read at or after it, or returned by the model.
std::vector<Bytes> bytesAcross(const Graph& graph, const Profile& profile, std::span<const NodeId> order);

// Where a scale should end so that the bulk of the values can be told apart: at the largest, unless a few of
// them (one in fifty, but at least three) stand more than 2.5 times above all others; then at the largest of
// the others. Of fewer than twenty values none is cut. 0 for no values.
double readableTop(std::vector<double> values);

// How the chart of times is scaled: forward upwards, backward downwards, and whose columns are cut off.
struct TimeScale
{
    static constexpr double cutAt = 1.35; // columns end there, in parts of the scale

    double forward = 0; // seconds; where the scale ends
    double backward = 0;
    std::vector<NodeId> cut; // taller than cutAt times that in one of the two

    bool cutsForward(const NodeCost& cost) const { return cost.forward.time.value() > forward * cutAt; }
    bool cutsBackward(const NodeCost& cost) const
    {
        return backward > 0 && cost.backward().time.value() > backward * cutAt;
    }
};
TimeScale timeScale(const Profile& profile, ValueLook look = ValueLook::Plain); // cuts none of logarithms

struct ChartData
{
    PlanView plan;
    ExecutionAxis axis = ExecutionAxis::OpIndex;
    ValueLook look = ValueLook::Plain;
    StageOrder order;
    ExecutionScale scale;
    Table<NodeId, std::size_t> placeOf; // in the stage order
    MemoryCurve memory;
    TimeScale times;
    std::vector<Bytes> across; // before each op, and after the last

    // Anew only what is another than in the plan before.
    void setPlan(const PlanView& next);
    void setAxis(ExecutionAxis next);
    void setLook(ValueLook next);

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
    // What the charts show of each op, a line each, for other programs.
    QString seriesCsv() const;
    // Runs of the ops among `nodes`; after `most` of them all that follows is one.
    std::vector<Span> runsOf(const std::vector<NodeId>& nodes, std::size_t most) const;
};

} // namespace stagecraft
