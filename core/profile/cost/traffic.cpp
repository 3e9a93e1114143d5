#include "core/profile/cost/traffic.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 6> lookups{"aten::embedding",     "aten::index",  "aten::index_select",
                                                  "aten::_unsafe_index", "aten::gather", "aten::take"};
// They leave memory as it is: nothing is read, nothing written.
constexpr std::array<std::string_view, 8> idle{
    "aten::empty",     "aten::empty_like", "aten::empty_strided",     "aten::empty_permuted",
    "aten::new_empty", "aten::resize_",    "aten::new_empty_strided", "aten::_assert_tensor_metadata",
};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

// A dimension of stride 0 repeats one element.
Bytes bytesTouched(const Trace& trace, const TraceTensor& tensor)
{
    const auto sizes = trace.sizes(tensor);
    const auto strides = trace.strides(tensor);
    Bytes bytes(itemSize(tensor.dtype));
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (strides[i] != 0 || sizes[i] == 0)
            bytes = bytes * sizes[i];
    return bytes;
}

Bytes sumTouched(const Trace& trace, std::span<const TraceArgument> arguments)
{
    Bytes sum;
    for (const TraceArgument& argument : arguments)
        for (const TraceTensor& tensor : trace.tensors(argument))
            sum += bytesTouched(trace, tensor);
    return sum;
}

// A view that its schema hides, such as aten::_unsafe_view: every result lies in a storage that was given.
bool isHiddenView(const Trace& trace, const TraceOp& op)
{
    bool hasResult = false;
    for (const TraceArgument& result : trace.results(op))
        for (const TraceTensor& tensor : trace.tensors(result)) {
            hasResult = true;
            const bool wasGiven = std::ranges::any_of(trace.arguments(op), [&](const TraceArgument& given) {
                return std::ranges::any_of(trace.tensors(given), [&](const TraceTensor& from) {
                    return from.storage == tensor.storage;
                });
            });
            if (!wasGiven)
                return false;
        }
    return hasResult;
}

} // namespace

OpTraffic operatorTraffic(const Trace& trace, const TraceOp& op)
{
    const TraceOpName& name = trace.opNames[op.name];
    if (name.isView || contains(idle, name.name) || (!name.writes && isHiddenView(trace, op)))
        return {};
    const auto arguments = trace.arguments(op);
    OpTraffic traffic{sumTouched(trace, arguments), sumTouched(trace, trace.results(op))};
    if (contains(lookups, name.name) && !arguments.empty()) {
        traffic.read -= sumTouched(trace, arguments.first(1));
        traffic.read += traffic.written;
    }
    return traffic;
}

} // namespace stagecraft
