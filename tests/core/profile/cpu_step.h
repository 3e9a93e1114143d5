// One training step of a model on real CPU tensors, with every allocation counted.
#pragma once

#include "core/load/model.h"
#include "core/trace/trace_model.h"

#include <map>
#include <set>
#include <string>

namespace stagecraft::test {

// Bytes above those at the start of the step, as LibTorch's CPU allocator was asked for them. Storages of 8
// bytes are left out: autograd keeps numbers (the 0.5 of x * 0.5) in such, and no trace sees them.
struct CpuStep
{
    Bytes liveAfterForward;
    Bytes liveAtEnd;
    Bytes liveAtEndOutputsDropped;
    Bytes peak; // over the moments between operators
    // By operator, the most that it took inside above the larger of what was live before and after.
    std::map<std::string, Bytes> scratch;
};

// On one thread, with the attention kernels that the CPU chooses. Replaces the process's CPU allocator.
// `operators` are those that count as one: "aten::addmm", and not what it calls.
Result<CpuStep> runCpuStep(const Model& model, LossKind loss, const std::set<std::string>& operators);

} // namespace stagecraft::test
