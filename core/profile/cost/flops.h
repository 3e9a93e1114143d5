// FLOPs of one operator of a trace: 2 for every multiply-add of a contraction (matrix product, convolution,
// attention), nothing else: no bias, no elementwise work, no halving for causal masks.
//
// The conventions are those of torch.utils.flop_counter, with its known errors put right: a grouped
// convolution's weight gradient costs what its forward pass costs, the CPU's fused attention and grouped
// matrix products count.
#pragma once

#include "core/base/quantities.h"
#include "core/trace/trace.h"

namespace stagecraft {

// The two halves of a backward operator, which zero-bubble schedules run apart. A forward operator has
// `input` alone.
struct OpFlops
{
    Flops input;  // towards gradients of activations, or the forward result
    Flops weight; // towards gradients of parameters

    Flops total() const { return input + weight; }
};

OpFlops operatorFlops(const Trace& trace, const TraceOp& op);

// Is everything it returns of use for gradients of parameters alone?
bool isWeightGradient(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
