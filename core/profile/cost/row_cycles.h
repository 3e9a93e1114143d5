// Kernels that go row by row: sums, norms, softmax.
#pragma once

#include "core/profile/cost/cycles.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Across the innermost dimension.
double sumCycles(double elements, double results);
// Of sum, mean and linalg_vector_norm.
double reductionCycles(const Trace& trace, const TraceOp& op);

// Of these and of their gradients.
KernelCycles layerNormCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);
KernelCycles groupNormCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);
KernelCycles softmaxCycles(const Trace& trace, const TraceOp& op);
// What _safe_softmax does behind softmax: which elements are -inf, which rows are all of these, zeros there.
Bytes maskedRowBytes(const Trace& trace, const TraceOp& op);
KernelCycles safeSoftmaxCycles(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
