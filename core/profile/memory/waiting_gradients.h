// What a backward pass in two parts holds between them and while they run (zero-bubble schedules).
//
//     grad of y ──┬── mm(linear) ──► grad of x ──► the node before      first part
//                 └ ─ ─ held ─ ─ ─►  mm(linear) ──► .grad of the weight   second part
//
// stagecraft_runtime/split_backward.py, and stage_backward_input() of torch.distributed.pipelining likewise:
// what flows into an operator is kept until the gradients of its weights are made. The first part goes from
// the last node to the first, the second from the first to the last.
#pragma once

#include "core/profile/split_memory.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Of all nodes, those of inference with nothing.
Table<NodeId, SplitMemory> splitMemory(const Graph& graph, const Trace& trace);

} // namespace stagecraft
