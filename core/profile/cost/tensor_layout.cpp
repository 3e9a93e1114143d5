#include "core/profile/cost/tensor_layout.h"

namespace stagecraft {

const TraceTensor* tensorAt(const Trace& trace, std::span<const TraceArgument> list, std::size_t position)
{
    if (position >= list.size())
        return nullptr;
    const auto tensors = trace.tensors(list[position]);
    return tensors.empty() ? nullptr : &tensors.front();
}

Bytes bytesAt(const Trace& trace, std::span<const TraceArgument> list, std::size_t position)
{
    const TraceTensor* const tensor = tensorAt(trace, list, position);
    return tensor ? trace.tensorBytes(*tensor) : Bytes(0);
}

double elementCount(const Trace& trace, const TraceTensor& tensor)
{
    double count = 1;
    for (const std::int64_t size : trace.sizes(tensor))
        count *= static_cast<double>(size);
    return count;
}

std::optional<std::size_t> innermost(const Trace& trace, const TraceTensor& tensor)
{
    const auto sizes = trace.sizes(tensor), strides = trace.strides(tensor);
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] > 1 && strides[i] > 0 && (!best || strides[i] < strides[*best]))
            best = i;
    return best;
}

bool isChannelsLast(const Trace& trace, const TraceTensor& tensor)
{
    return trace.sizes(tensor).size() >= 4 && innermost(trace, tensor) == 1;
}

} // namespace stagecraft
