// Kernels of images: pools, patches, and what cuDNN does beside its convolutions.
#pragma once

#include "core/profile/cost/cycles.h"
#include "core/trace/trace.h"

namespace stagecraft {

double imageCycles(const Trace& trace, const TraceOp& op);

// Beside the products themselves.
KernelCycles convolutionCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);
KernelCycles convolutionGradientCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

// Does it take images with channels last, by the layout of what it makes?
bool convolvesChannelsLast(const Trace& trace, const TraceOp& op);

// What PyTorch copies where only the weight has channels last; what it moves to add a bias afterwards.
Bytes copiedFirstBytes(const Trace& trace, const TraceOp& op);
Bytes biasBytes(const Trace& trace, const TraceOp& op);
// What cuDNN moves to lay images out as tensor cores take them, and back, where they come otherwise.
Bytes relaidBytes(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

} // namespace stagecraft
