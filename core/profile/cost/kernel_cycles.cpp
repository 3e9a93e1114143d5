#include "core/profile/cost/kernel_cycles.h"

#include "core/profile/cost/batch_norm.h"
#include "core/profile/cost/contiguous_copies.h"
#include "core/profile/cost/elementwise_cycles.h"
#include "core/profile/cost/hopper_convolutions.h"
#include "core/profile/cost/image_cycles.h"
#include "core/profile/cost/multi_tensor.h"
#include "core/profile/cost/row_cycles.h"
#include "core/profile/cost/tensor_layout.h"

#include <algorithm>
#include <string_view>

namespace stagecraft {

namespace {

KernelCycles withHoppersProducts(KernelCycles cycles, const Trace& trace, const TraceOp& op,
                                 const DeviceSpec& device)
{
    if (const std::optional<double> whole = hopperConvolutionCycles(trace, op, device)) {
        cycles.busy = *whole;
        cycles.holdProducts = true;
    }
    return cycles;
}

double rolledCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double anElement = 1.3;
    const TraceTensor* const result = tensorAt(trace, trace.results(op), 0);
    return result ? elementCount(trace, *result) * anElement * rollsOf(trace, op) : 0;
}

KernelCycles ownCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::string_view name = trace.opNames[op.name].name;
    if (name == "aten::native_layer_norm" || name == "aten::native_layer_norm_backward")
        return layerNormCycles(trace, op, device);
    if (name == "aten::native_group_norm" || name == "aten::native_group_norm_backward")
        return groupNormCycles(trace, op, device);
    if (name == "aten::_softmax" || name == "aten::_softmax_backward_data")
        return softmaxCycles(trace, op);
    if (name == "aten::_safe_softmax")
        return safeSoftmaxCycles(trace, op);
    if (name == "aten::convolution")
        return withHoppersProducts(convolutionCycles(trace, op, device), trace, op, device);
    if (name == "aten::convolution_backward")
        return withHoppersProducts(convolutionGradientCycles(trace, op, device), trace, op, device);
    if (name == "aten::cat" || name == "aten::stack")
        return {.busy = concatenationCycles(trace, op)};
    if (name == "aten::roll")
        return {.busy = rolledCycles(trace, op)};
    if (isMultiTensor(name))
        return multiTensorCycles(trace, op, device);
    if (isElementwiseKernel(name))
        return {.busy = elementwiseCycles(trace, op)};
    return {.busy = reductionCycles(trace, op) + imageCycles(trace, op) + batchNormCycles(trace, op, device)};
}

} // namespace

int rollsOf(const Trace& trace, const TraceOp& op)
{
    constexpr std::size_t dimensions = 2;
    const auto arguments = trace.arguments(op);
    const auto count = arguments.size() > dimensions ? trace.integers(arguments[dimensions]).size() : 0;
    return std::max(static_cast<int>(count), 1);
}

KernelCycles kernelCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    KernelCycles cycles = ownCycles(trace, op, device);
    const KernelCycles copies = contiguousCopies(trace, op);
    cycles.apart += copies.apart;
    cycles.apartBytes += copies.apartBytes;
    return cycles;
}

} // namespace stagecraft
