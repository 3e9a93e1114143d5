// Time of one operator on a device: the roofline, bent by what its class of operators reaches.
//
//     time = max(FLOPs / (peak x share), bytes / (bandwidth x share)) + launch
//
// `share` is the device file's curve for the operator's class, at this amount of work; of a contraction on
// tiles also what tile and wave quantisation leave (efficiency.h). What the kernels behind the operator do,
// kernel_work.h says. Views take none. Contractions run on the
// matrix units of their element type, everything else on the vector units, where an element counts as one
// operation.
//
// Where the device file has measured times (OperatorTimes), those of the operator count, or else those of the
// typical one of its class. A contraction in a type that was not measured takes, but for the launch, as much
// longer as the peaks of the types tell: of float16 and bfloat16 the one stands in for the other, of all
// other types float32.
#pragma once

#include "core/profile/cost/flops.h"
#include "core/profile/cost/traffic.h"
#include "core/profile/device/device.h"

namespace stagecraft {

Seconds operatorTime(const Trace& trace, const TraceOp& op, const OpFlops& flops, const OpTraffic& traffic,
                     const DeviceSpec& device);

// Under which name an operator's measured times are kept: its own; a convolution that is transposed runs
// another kernel, "aten::convolution, transposed" (or "transposed in groups"), and short rows take longer,
// "aten::_softmax, short rows" (under 128), "shortest rows" (under 32). Those of an optimizer find
// nothing in the caches, "aten::mul_, by an optimizer". Contractions of other element types than float32 name
// theirs, "aten::mm, of bf16".
std::string measuredName(const Trace& trace, const TraceOp& op);
bool namesAType(std::string_view measuredName);

// Of work of which nothing is known but its size.
Seconds plainTime(Flops flops, Bytes moved, DType dtype, const DeviceSpec& device);

} // namespace stagecraft
