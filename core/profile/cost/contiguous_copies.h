// What kernels of PyTorch copy first, because they take contiguous tensors alone: no schema says it
// (aten/src/ATen/native/cuda).
//
//     native_layer_norm            layer_norm_kernel.cu: `input.expect_contiguous()`
//       its gradient               likewise, and `dY.contiguous()`
//     gradient of average pooling  AveragePool2d.cu: `gradOutput_.contiguous(memory_format)`, as its input is
#pragma once

#include "core/profile/cost/cycles.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Cycles and bytes of these copies, as of kernels that stand apart; nothing of other operators.
KernelCycles contiguousCopies(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
