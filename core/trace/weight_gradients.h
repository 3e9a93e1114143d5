// Which part of a backward pass computes gradients of parameters, and which those of activations.
//
//     grad of y ──┬── mm(linear) ──► grad of x ──► the node before      activation
//                 └── mm(linear) ──► t(linear) ──► .grad of the weight  weight
#pragma once

#include "core/trace/trace.h"

namespace stagecraft {

// Sets TraceStorage::weightGradientOnly: no other node's backward waits for the storage. It is read by
// operators of the node that made it, by accumulations into .grad (also of shares that several nodes give one
// parameter), and by nodes that compute on parameters alone (a cast of a weight), and all they make is for
// weight gradients as well.
void markWeightGradients(Trace& trace, const Graph& graph);

} // namespace stagecraft
