// Operators over lists of tensors, as optimizers have them: _foreach_mul_, _foreach_addcdiv_ and others.
//
// ATen/native/cuda/MultiTensorApply.cuh: a launch takes as many tensors as its arguments have room for, and
// 320 blocks, each for a chunk of 65536 elements of one tensor. So an operator is many launches, and at the
// end of each the device runs idle.
#pragma once

#include "core/profile/cost/cycles.h"
#include "core/trace/trace.h"

#include <string_view>
#include <vector>

namespace stagecraft {

bool isMultiTensor(std::string_view name);

// Launches for tensors of so many elements each, `lists` (1 to 5) of them going along.
int multiTensorLaunches(const std::vector<double>& elements, std::size_t lists);

// Beside what is moved, which all launches have a part of.
KernelCycles multiTensorCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

} // namespace stagecraft
