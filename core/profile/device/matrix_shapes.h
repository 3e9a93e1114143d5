// The matrix products that a contraction amounts to on a device: what tiles are laid over.
#pragma once

#include "core/profile/device/efficiency.h"
#include "core/trace/trace.h"

#include <vector>

namespace stagecraft {

// A product as itself; a convolution as the implicit product of its patches and its weight, a gradient of it
// likewise; fused attention as one product of its queries. Empty for what is no contraction and for shapes
// that are not understood.
std::vector<MatrixShape> matrixShapes(const Trace& trace, const TraceOp& op);

// A gradient of one counts too.
bool isTransposedConvolution(const Trace& trace, const TraceOp& op);
// Of a convolution or its gradient.
bool hasGroups(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
