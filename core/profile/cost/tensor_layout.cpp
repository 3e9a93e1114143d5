#include "core/profile/cost/tensor_layout.h"

#include <array>
#include <numeric>
#include <vector>

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

namespace {

bool followEachOther(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
                     std::span<const std::size_t> fromInnermost)
{
    std::int64_t next = 1;
    for (const std::size_t i : fromInnermost) {
        if (sizes[i] != 1 && strides[i] != next)
            return false;
        next *= sizes[i];
    }
    return true;
}

} // namespace

bool isContiguous(const Trace& trace, const TraceTensor& tensor)
{
    std::vector<std::size_t> order(trace.sizes(tensor).size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    return followEachOther(trace.sizes(tensor), trace.strides(tensor), order);
}

bool isContiguousChannelsLast(const Trace& trace, const TraceTensor& tensor)
{
    constexpr std::array<std::size_t, 4> order{1, 3, 2, 0};
    return trace.sizes(tensor).size() == order.size() &&
           followEachOther(trace.sizes(tensor), trace.strides(tensor), order);
}

} // namespace stagecraft
