// What nodes take as parts of a stage, where they may take other times than in the step of the whole model.
//
//     whole model   │ head: device behind │ layer: the program is ahead, the device never waits
//     stages        │ head                │ layer: handed over as it runs, the device waits for the program
//
// Two things differ. A program that hands operators to a device gets ahead of it while the device has long
// ones; how far it is ahead when a block begins depends on what ran before, in the whole model on blocks that
// other stages run. Here it is ahead by one operator at most where a block of those that repeat begins or
// ends. And in all microbatches but the first of a step autograd adds each parameter's gradient to that which
// is there (AccumulateGrad in torch/csrc/autograd/functions/accumulate_grad.h, PyTorch 2.13: the first is
// taken as it is, later ones are added in place), which the step of the whole model, with one microbatch,
// does only if gradients of the step before are kept.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/profile.h"

namespace stagecraft {

// Of one microbatch.
struct StageTime
{
    Seconds forward;
    Seconds backwardInput;
    Seconds backwardWeight;
    Seconds recomputed; // of backwardInput
};

// On average over the microbatches of a step. Nodes that were measured, that are not exact or that were not
// traced keep the times that the profile has; of those that are not exact gradients are added all the same.
Table<NodeId, StageTime> stageTimes(const Graph& graph, const Profile& profile, std::size_t microbatches);

} // namespace stagecraft
