// What a backward pass in two parts holds between them (zero-bubble schedules).
//
//     grad of y ──┬── mm(linear) ──► grad of x ──► the node before      first part
//                 └ ─ ─ held ─ ─ ─►  mm(linear) ──► .grad of the weight   second part
//
// stagecraft_runtime/split_backward.py, and stage_backward_input() of torch.distributed.pipelining likewise:
// what flows into an operator is kept until the gradients of its weights are made.
#pragma once

#include "core/trace/trace.h"

namespace stagecraft {

// Of each node the gradients that arrive at it and that its weights' gradients are made of, whole storages.
// One that several nodes read as it is counts at the first to go back. In one pass some gradients are added
// up in place: what is read before and after counts twice, as the first is held then.
Table<NodeId, Bytes> waitingGradients(const Graph& graph, const Trace& trace);

} // namespace stagecraft
