#include "core/profile/cost/traffic.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 6> lookups{"aten::embedding",     "aten::index",  "aten::index_select",
                                                  "aten::_unsafe_index", "aten::gather", "aten::take"};
// They pick one element for each target: aten/src/ATen/native/LossNLL.cpp, LossNLL2d.cpp, cuda/Loss.cu and
// cuda/NLLLoss2d.cu (PyTorch 2.13). Their gradients do not look at it: `grad_input.zero_()`, then one for
// each.
constexpr std::array<std::string_view, 2> picking{"aten::nll_loss_forward", "aten::nll_loss2d_forward"};
constexpr std::array<std::string_view, 2> pickingBack{"aten::nll_loss_backward", "aten::nll_loss2d_backward"};
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

Bytes sumTouched(const Trace& trace, std::span<const TraceArgument> arguments)
{
    Bytes sum;
    for (const TraceArgument& argument : arguments)
        for (const TraceTensor& tensor : trace.tensors(argument))
            sum += touchedBytes(trace, tensor);
    return sum;
}

std::int64_t elementsOf(const Trace& trace, const TraceArgument& argument)
{
    std::int64_t count = 0;
    for (const TraceTensor& tensor : trace.tensors(argument))
        count += trace.tensorBytes(tensor).count() / itemSize(tensor.dtype);
    return count;
}

// Of what a loss picks from, as far as it is not read.
Bytes passedOver(const Trace& trace, std::string_view name, std::span<const TraceArgument> arguments)
{
    const bool goesBack = contains(pickingBack, name);
    const std::size_t from = goesBack ? 1 : 0;
    if ((!goesBack && !contains(picking, name)) || arguments.size() <= from + 1 ||
        trace.tensors(arguments[from]).empty())
        return {};
    const Bytes all = sumTouched(trace, arguments.subspan(from, 1));
    if (goesBack)
        return all;
    const Bytes element(itemSize(trace.tensors(arguments[from]).front().dtype));
    return std::max(Bytes{}, all - element * elementsOf(trace, arguments[from + 1]));
}

// Operators in place that give nothing back: aten::_foreach_add_, aten::_fused_adamw_.
Bytes writtenInPlace(const Trace& trace, const TraceOpName& name, std::span<const TraceArgument> arguments)
{
    Bytes sum;
    for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 64); ++i)
        if ((name.written >> i & 1) != 0)
            sum += sumTouched(trace, arguments.subspan(i, 1));
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

// A dimension of stride 0 repeats one element.
Bytes touchedBytes(const Trace& trace, const TraceTensor& tensor)
{
    const auto sizes = trace.sizes(tensor);
    const auto strides = trace.strides(tensor);
    Bytes bytes(itemSize(tensor.dtype));
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (strides[i] != 0 || sizes[i] == 0)
            bytes = bytes * sizes[i];
    return bytes;
}

OpTraffic operatorTraffic(const Trace& trace, const TraceOp& op)
{
    const TraceOpName& name = trace.opNames[op.name];
    if (name.isView || contains(idle, name.name) || (!name.writes && isHiddenView(trace, op)))
        return {};
    const auto arguments = trace.arguments(op);
    OpTraffic traffic{sumTouched(trace, arguments), sumTouched(trace, trace.results(op))};
    if (name.writes && trace.results(op).empty())
        traffic.written = writtenInPlace(trace, name, arguments);
    if (contains(lookups, name.name) && !arguments.empty()) {
        traffic.read -= sumTouched(trace, arguments.first(1));
        traffic.read += traffic.written;
    }
    traffic.read -= passedOver(trace, name.name, arguments);
    return traffic;
}

} // namespace stagecraft
