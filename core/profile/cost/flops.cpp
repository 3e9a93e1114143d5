#include "core/profile/cost/flops.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace stagecraft {

namespace {

using Sizes = std::span<const std::int64_t>;

double product(Sizes sizes)
{
    double result = 1;
    for (const std::int64_t size : sizes)
        result *= static_cast<double>(size);
    return result;
}

// The sizes of one operator's tensor arguments and results; empty where there is no such tensor.
class Shapes
{
public:
    Shapes(const Trace& trace, const TraceOp& op)
        : m_trace(trace), m_arguments(trace.arguments(op)), m_results(trace.results(op))
    {
    }

    Sizes argument(std::size_t position) const { return sizesAt(m_arguments, position); }
    Sizes result(std::size_t position) const { return sizesAt(m_results, position); }
    bool hasResult(std::size_t position) const { return tensorsAt(m_results, position).size() > 0; }

    // A size of an argument; negative dimensions count from the back; 0 where there is no such dimension.
    double size(std::size_t position, int dimension) const
    {
        const Sizes sizes = argument(position);
        const auto count = static_cast<int>(sizes.size());
        const int index = dimension < 0 ? count + dimension : dimension;
        return index < 0 || index >= count ? 0 : static_cast<double>(sizes[static_cast<std::size_t>(index)]);
    }
    bool flag(std::size_t position) const
    {
        if (position >= m_arguments.size())
            return false;
        const auto integers = m_trace.integers(m_arguments[position]);
        return !integers.empty() && integers.front() != 0;
    }

private:
    std::span<const TraceTensor> tensorsAt(std::span<const TraceArgument> list, std::size_t position) const
    {
        return position < list.size() ? m_trace.tensors(list[position]) : std::span<const TraceTensor>{};
    }
    Sizes sizesAt(std::span<const TraceArgument> list, std::size_t position) const
    {
        const auto tensors = tensorsAt(list, position);
        return tensors.empty() ? Sizes{} : m_trace.sizes(tensors.front());
    }

    const Trace& m_trace;
    std::span<const TraceArgument> m_arguments;
    std::span<const TraceArgument> m_results;
};

// Forward FLOPs of a contraction, from its shapes.
using Formula = double (*)(const Shapes&);

double convolution(Sizes input, Sizes weight, Sizes output, bool transposed)
{
    // The weight is [out, in / groups, *kernel] (transposed: [in, out / groups, *kernel]): groups are in it.
    const Sizes positions = transposed ? input : output;
    if (input.size() < 2 || positions.size() < 2)
        return 0;
    return 2 * static_cast<double>(input[0]) * product(positions.subspan(2)) * product(weight);
}

double attention(const Shapes& s, std::size_t query)
{
    const double rows = product(s.argument(query)) / std::max(1.0, s.size(query, -1));
    const double keys = s.size(query + 1, -2);
    return 2 * rows * keys * (s.size(query, -1) + s.size(query + 2, -1));
}

// Recomputed scores, and gradients of queries, keys, probabilities and values.
double attentionBackward(const Shapes& s, std::size_t query)
{
    const double rows = product(s.argument(query)) / std::max(1.0, s.size(query, -1));
    const double keys = s.size(query + 1, -2);
    return 2 * rows * keys * (3 * s.size(query, -1) + 2 * s.size(query + 2, -1));
}

double groupedProduct(const Shapes& s)
{
    const std::size_t left = s.argument(0).size(), right = s.argument(1).size();
    if (left == 3 && right == 2) // [G, M, K] x [K, S]: every column meets one group
        return 2 * s.size(0, 1) * s.size(0, 2) * s.size(1, 1);
    return 2 * product(s.argument(0)) * s.size(1, -1);
}

const std::unordered_map<std::string_view, Formula>& formulas()
{
    static const std::unordered_map<std::string_view, Formula> table{
        {"aten::mm", [](const Shapes& s) { return 2 * product(s.argument(0)) * s.size(1, -1); }},
        {"aten::_int_mm", [](const Shapes& s) { return 2 * product(s.argument(0)) * s.size(1, -1); }},
        {"aten::_scaled_mm", [](const Shapes& s) { return 2 * product(s.argument(0)) * s.size(1, -1); }},
        {"aten::addmm", [](const Shapes& s) { return 2 * product(s.argument(1)) * s.size(2, -1); }},
        {"aten::_addmm_activation",
         [](const Shapes& s) { return 2 * product(s.argument(1)) * s.size(2, -1); }},
        {"aten::bmm", [](const Shapes& s) { return 2 * product(s.argument(0)) * s.size(1, -1); }},
        {"aten::baddbmm", [](const Shapes& s) { return 2 * product(s.argument(1)) * s.size(2, -1); }},
        {"aten::addbmm", [](const Shapes& s) { return 2 * product(s.argument(1)) * s.size(2, -1); }},
        {"aten::mv", [](const Shapes& s) { return 2 * product(s.argument(0)); }},
        {"aten::addmv", [](const Shapes& s) { return 2 * product(s.argument(1)); }},
        {"aten::dot", [](const Shapes& s) { return 2 * product(s.argument(0)); }},
        {"aten::vdot", [](const Shapes& s) { return 2 * product(s.argument(0)); }},
        {"aten::_grouped_mm", groupedProduct},
        {"aten::_scaled_grouped_mm", groupedProduct},
        {"transformers::grouped_mm_fallback", groupedProduct},
        {"aten::convolution",
         [](const Shapes& s) { return convolution(s.argument(0), s.argument(1), s.result(0), s.flag(6)); }},
        {"aten::_convolution",
         [](const Shapes& s) { return convolution(s.argument(0), s.argument(1), s.result(0), s.flag(6)); }},
        {"aten::cudnn_convolution",
         [](const Shapes& s) { return convolution(s.argument(0), s.argument(1), s.result(0), false); }},
        {"aten::cudnn_convolution_transpose",
         [](const Shapes& s) { return convolution(s.argument(0), s.argument(1), s.result(0), true); }},
        {"aten::_scaled_dot_product_flash_attention", [](const Shapes& s) { return attention(s, 0); }},
        {"aten::_scaled_dot_product_efficient_attention", [](const Shapes& s) { return attention(s, 0); }},
        {"aten::_scaled_dot_product_cudnn_attention", [](const Shapes& s) { return attention(s, 0); }},
        {"aten::_scaled_dot_product_flash_attention_for_cpu",
         [](const Shapes& s) { return attention(s, 0); }},
        {"aten::_scaled_dot_product_flash_attention_backward",
         [](const Shapes& s) { return attentionBackward(s, 1); }},
        {"aten::_scaled_dot_product_efficient_attention_backward",
         [](const Shapes& s) { return attentionBackward(s, 1); }},
        {"aten::_scaled_dot_product_cudnn_attention_backward",
         [](const Shapes& s) { return attentionBackward(s, 1); }},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward",
         [](const Shapes& s) { return attentionBackward(s, 1); }},
    };
    return table;
}

// Operators that return both kinds of gradient: each costs what the forward pass costs.
OpFlops convolutionBackward(const Shapes& s)
{
    const double each = convolution(s.argument(1), s.argument(2), s.argument(0), s.flag(7));
    return {Flops(s.hasResult(0) ? each : 0), Flops(s.hasResult(1) ? each : 0)};
}

OpFlops groupedBackward(const Shapes& s)
{
    // (gradient [S, N], input [S, K], ...): the product of the two, once for each gradient that is asked for.
    const double each = 2 * product(s.argument(0)) * s.size(1, -1);
    return {Flops(s.hasResult(0) ? each : 0), Flops(s.hasResult(1) ? each : 0)};
}

// aten::_cudnn_rnn(input [.., .., features], weights, ...): every row meets every weight matrix once; both
// kinds of gradient cost the same again.
OpFlops recurrent(const Trace& trace, const TraceOp& op, const Shapes& s)
{
    double elements = 0;
    for (const TraceTensor& weight : trace.tensors(trace.arguments(op)[1]))
        elements += weight.dimensions == 2 ? product(trace.sizes(weight)) : 0;
    const Flops each(2 * product(s.argument(0)) / std::max(1.0, s.size(0, -1)) * elements);
    return {each, op.phase == Phase::Backward && !op.isRecomputed ? each : Flops()};
}

} // namespace

bool isWeightGradient(const Trace& trace, const TraceOp& op)
{
    bool any = false;
    for (const TraceArgument& result : trace.results(op))
        for (const TraceTensor& tensor : trace.tensors(result)) {
            if (!trace.storages[tensor.storage].weightGradientOnly)
                return false;
            any = true;
        }
    return any;
}

OpFlops operatorFlops(const Trace& trace, const TraceOp& op)
{
    const std::string& name = trace.opNames[op.name].name;
    const Shapes shapes(trace, op);
    if (name == "aten::convolution_backward")
        return convolutionBackward(shapes);
    if (name == "transformers::grouped_mm_fallback_backward")
        return groupedBackward(shapes);
    if (name == "aten::_cudnn_rnn" || name == "aten::_cudnn_rnn_backward")
        return recurrent(trace, op, shapes);
    const auto formula = formulas().find(name);
    if (formula == formulas().end())
        return {};
    const Flops flops(formula->second(shapes));
    if (op.phase == Phase::Backward && isWeightGradient(trace, op))
        return {Flops{}, flops};
    return {flops, Flops{}};
}

} // namespace stagecraft
