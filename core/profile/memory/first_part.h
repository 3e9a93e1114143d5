// What is alive while nodes run the first part of a split backward pass one after the other, turn by turn.
//
//     grad of y ──► gelu ──► held to the second part     ┐
//                     └───► mm(linear) ──► grad of x     ┘ alive together, and what goes past them
//
// What weights' gradients are made of stays (waiting_gradients.h), and so does all that autograd saved: the
// second part wants its graph. An operator that makes a weight's gradient alone is left to that part.
#pragma once

#include "core/profile/memory/passed_sums.h"
#include "core/profile/turn_memory.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Of a training step, into memory.firstPart and memory.flowing.
void addFirstPart(const Trace& trace, const PassedSums& sums, TurnMemory& memory);

} // namespace stagecraft
