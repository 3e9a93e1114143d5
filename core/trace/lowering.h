// Lowering: what a target device runs in place of an operator that the meta device would decompose.
//
// A model names `scaled_dot_product_attention`; an H100 runs a fused kernel that keeps one row of statistics,
// a CPU another one, and the meta device multiplies matrices. Memory and FLOPs differ by a factor of two, so
// a trace is always made *for* something.
#pragma once

#include "core/base/quantities.h"
#include "core/trace/precision.h"

#include <cstdint>
#include <vector>

namespace c10 {
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

// Which kernels the target runs for an operator such as attention.
enum class LoweringKind : std::uint8_t {
    Device,    // what the target device takes: cuDNN's, flash, efficient or math on CUDA; as Cpu on a CPU
    Math,      // attention as two matrix products and a softmax, everything as the meta device has it
    Efficient, // attention always as _scaled_dot_product_efficient_attention
    // The CPU's fused attention where it can be taken, else Math. Shared key and value heads are repeated
    // first, as in the reference figures; the CPU itself (Device) does not.
    Cpu,
    // As torch.compile runs the device's own: a profile reckons with fused kernels, of a trace for Device.
    Compiled,
};

struct LoweringTarget
{
    LoweringKind kind = LoweringKind::Math;
    // What Device stands for.
    enum class DeviceType : std::uint8_t { Cpu, Cuda } deviceType = DeviceType::Cpu;
    int computeCapability = 80; // of Cuda: 10 x major + minor
    Precision precision = Precision::AsExported;
};

// Is it the CPU that is meant? The routes that are not of one device stand for CUDA.
bool isCpu(const LoweringTarget& target);

// Calls what `target` runs in place of `op`, whose boxed arguments are the last ones on `stack`.
//
// True: the arguments were taken and the results pushed; the operators that were called instead went through
// the dispatcher as usual, so a hook that is switched on has seen them. False: nothing was touched, the
// operator is to be called as it is. Throws what the operators throw (c10::Error).
bool lowerOperator(const LoweringTarget& target, const c10::OperatorHandle& op,
                   std::vector<c10::IValue>& stack);

// What the target's kernel of `op` allocates inside and gives back, and the meta kernel does not. The boxed
// arguments are the last ones on `stack`.
Bytes allocatedInside(const LoweringTarget& target, const c10::OperatorHandle& op,
                      const std::vector<c10::IValue>& stack);

// After `op` has put its results on `stack`: LibTorch's kernels return a reduced loss in the storage of all
// that it was reduced from, devices' and meta ones alike; PyTorch's meta functions return the number alone.
// In the routes that are not of one device, so does this.
void settleResult(const LoweringTarget& target, const c10::OperatorHandle& op,
                  const std::vector<c10::IValue>& stack);

} // namespace stagecraft
