// Curves of the charts, along the stage order: plain numbers, no drawing.
#pragma once

#include "core/plan/editing.h"
#include "views/base/plan_view.h"

#include <span>
#include <vector>

namespace stagecraft {

// What the device that runs the stage holds when each op runs (bytes by place in the stage order):
//     state + (inFlight - 1) * saved + what this microbatch has made in the stage so far.
// Without a plan: parameters, gradients and optimizer state of the whole model, and what is alive.
struct MemoryCurve
{
    std::vector<double> held;   // by op
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
TimeScale timeScale(const Profile& profile);

} // namespace stagecraft
