#include "core/trace/precision.h"

#include "core/run/torch_types.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

std::optional<DType> pureType(Precision precision)
{
    switch (precision) {
    case Precision::Float32:
        return DType::F32;
    case Precision::BFloat16:
        return DType::BF16;
    case Precision::Float16:
        return DType::F16;
    case Precision::AsExported:
    case Precision::AutocastBFloat16:
    case Precision::AutocastFloat16:
        break;
    }
    return std::nullopt;
}

std::optional<DType> autocastType(Precision precision)
{
    if (precision == Precision::AutocastBFloat16)
        return DType::BF16;
    if (precision == Precision::AutocastFloat16)
        return DType::F16;
    return std::nullopt;
}

bool namesItsType(const Graph& graph, NodeId node)
{
    static constexpr std::array<std::string_view, 6> names{"float32",  "float16", "bfloat16",
                                                           ".float()", ".half()", "torch.half"};
    const std::optional<SourceId> source = graph[node].source;
    if (!source || graph.source(*source).empty())
        return false;
    const std::string& line = graph.source(*source).back().text;
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return line.find(name) != std::string::npos; });
}

void castTypeArguments(DType type, const c10::OperatorHandle& op, std::vector<c10::IValue>& stack)
{
    const auto& arguments = op.schema().arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        c10::IValue& value = stack[stack.size() - arguments.size() + i];
        if (arguments[i].name() != "dtype" || !value.isInt())
            continue;
        const auto given = static_cast<c10::ScalarType>(value.toInt());
        if (given == c10::kFloat || given == c10::kHalf || given == c10::kBFloat16)
            value = std::int64_t{scalarTypeNumber(type)};
    }
}

} // namespace stagecraft
