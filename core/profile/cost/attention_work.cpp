#include "core/profile/cost/attention_work.h"

#include "core/profile/cost/tensor_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace stagecraft {

namespace {

struct FusedAttention
{
    std::string_view name;
    std::size_t query, key, dropout, causal; // positions in its schema
};

constexpr std::array fusedAttentions{
    FusedAttention{"aten::_scaled_dot_product_flash_attention", 0, 1, 3, 4},
    FusedAttention{"aten::_scaled_dot_product_flash_attention_backward", 1, 2, 10, 11},
    FusedAttention{"aten::_scaled_dot_product_efficient_attention", 0, 1, 5, 6},
    FusedAttention{"aten::_scaled_dot_product_efficient_attention_backward", 1, 2, 9, 11},
    FusedAttention{"aten::_scaled_dot_product_cudnn_attention", 0, 1, 5, 6},
    FusedAttention{"aten::_scaled_dot_product_cudnn_attention_backward", 1, 2, 13, 14}};

double places(const Trace& trace, std::span<const TraceArgument> arguments, std::size_t position)
{
    const TraceTensor* const heads = tensorAt(trace, arguments, position);
    const auto sizes = heads ? trace.sizes(*heads) : std::span<const std::int64_t>{};
    return sizes.size() >= 2 ? static_cast<double>(sizes[sizes.size() - 2]) : 0;
}

bool isAbove0(const Trace& trace, const TraceArgument& argument)
{
    return argument.kind == TraceArgument::Kind::Number && trace.number(argument) > 0;
}

} // namespace

double attentionWork(const Trace& trace, const TraceOp& op)
{
    constexpr double tile = 64, diagonal = 128;
    const std::string_view name = trace.opNames[op.name].name;
    const auto known = std::ranges::find(fusedAttentions, name, &FusedAttention::name);
    if (known == fusedAttentions.end())
        return 1;
    const auto arguments = trace.arguments(op);
    const double queries = places(trace, arguments, known->query),
                 keys = places(trace, arguments, known->key);
    if (queries == 0 || keys == 0 || known->causal >= arguments.size())
        return 1;
    double work = std::ceil(queries / tile) * tile / queries * (std::ceil(keys / tile) * tile / keys);
    const auto causal = trace.integers(arguments[known->causal]);
    if (!causal.empty() && causal.front() != 0)
        work *= std::min(1.0, (1 + diagonal / queries) / 2);
    const DType type = tensorAt(trace, arguments, known->query)->dtype;
    if (type != DType::F16 && type != DType::BF16)
        return work;
    const bool goesBack = name.ends_with("_backward"), drops = isAbove0(trace, arguments[known->dropout]);
    return work * (goesBack ? 1.35 : 1.0) * (!drops ? 1.0 : goesBack ? 1.25 : 2.2);
}

} // namespace stagecraft
