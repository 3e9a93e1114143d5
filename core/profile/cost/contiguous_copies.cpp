#include "core/profile/cost/contiguous_copies.h"

#include "core/profile/cost/elementwise_cycles.h"
#include "core/profile/cost/tensor_layout.h"
#include "core/profile/cost/traffic.h"

#include <string_view>

namespace stagecraft {

namespace {

void addCopy(KernelCycles& copies, const Trace& trace, const TraceTensor& tensor, bool goesAcross)
{
    constexpr double accesses = 2;
    copies.apart += elementCount(trace, tensor) * (goesAcross ? anElementAcross : accesses * aCopysAddress);
    copies.apartBytes += touchedBytes(trace, tensor) + trace.tensorBytes(tensor);
}

} // namespace

KernelCycles contiguousCopies(const Trace& trace, const TraceOp& op)
{
    const std::string_view name = trace.opNames[op.name].name;
    const auto arguments = trace.arguments(op);
    const TraceTensor* const first = tensorAt(trace, arguments, 0);
    const TraceTensor* const second = tensorAt(trace, arguments, 1);
    KernelCycles copies;
    const auto addRows = [&](const TraceTensor* tensor) {
        if (tensor && !isContiguous(trace, *tensor))
            addCopy(copies, trace, *tensor, innermost(trace, *tensor) != trace.sizes(*tensor).size() - 1);
    };
    if (name == "aten::native_layer_norm" || name == "aten::native_layer_norm_backward")
        addRows(first);
    if (name == "aten::native_layer_norm_backward")
        addRows(second);
    if (name != "aten::avg_pool2d_backward" || !first || !second)
        return copies;
    const bool isLast = isChannelsLast(trace, *second);
    if (isLast ? !isContiguousChannelsLast(trace, *first) : !isContiguous(trace, *first))
        addCopy(copies, trace, *first, isLast != isChannelsLast(trace, *first));
    return copies;
}

} // namespace stagecraft
