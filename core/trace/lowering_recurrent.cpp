#include "core/trace/lowering_recurrent.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <array>

namespace stagecraft {

namespace {

using at::Tensor;

// cudnnRNNMode_t.
constexpr std::array<std::pair<const char*, std::int64_t>, 4> modes{
    {{"aten::rnn_relu", 0}, {"aten::rnn_tanh", 1}, {"aten::lstm", 2}, {"aten::gru", 3}}};
constexpr std::int64_t lstm = 2;

std::optional<std::int64_t> modeOf(const c10::OperatorHandle& op)
{
    if (op.operator_name().overload_name != "input")
        return std::nullopt;
    for (const auto& [name, mode] : modes)
        if (op.operator_name().name == name)
            return mode;
    return std::nullopt;
}

bool cudnnTakes(const Tensor& input)
{
    const at::ScalarType dtype = input.scalar_type();
    const bool isKnown =
        dtype == at::kFloat || dtype == at::kDouble || dtype == at::kHalf || dtype == at::kBFloat16;
    return isKnown && input.numel() > 0 && input.dim() == 3;
}

} // namespace

std::optional<std::vector<c10::IValue>> lowerRecurrent(const c10::OperatorHandle& op,
                                                       const std::vector<c10::IValue>& stack)
{
    const std::optional<std::int64_t> mode = modeOf(op);
    if (!mode)
        return std::nullopt;
    // (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
    const c10::IValue* argument = stack.data() + stack.size() - 9;
    const Tensor input = argument[0].toTensor();
    if (!cudnnTakes(input))
        return std::nullopt;
    const std::vector<Tensor> states =
        *mode == lstm ? argument[1].toTensorVector() : std::vector<Tensor>{argument[1].toTensor()};
    const std::vector<Tensor> weights = argument[2].toTensorVector();
    if (states.empty() || weights.empty())
        return std::nullopt;
    const bool hasCell = *mode == lstm;
    const std::int64_t hiddenSize = states.back().size(2);
    const std::int64_t width = states.front().size(2);
    // Flattened weights lie in the parameters' own memory: nothing is copied.
    const Tensor packedWeights = weights.front().detach();
    const auto [output, hidden, cell, reserve, packed] = at::_cudnn_rnn(
        input, weights, argument[3].toBool() ? 4 : 2, packedWeights, states.front(),
        hasCell ? std::optional(states.back()) : std::nullopt, *mode, hiddenSize,
        width == hiddenSize ? 0 : width, argument[4].toInt(), argument[8].toBool(), argument[5].toDouble(),
        argument[6].toBool(), argument[7].toBool(), {}, /*dropout_state=*/std::nullopt);
    std::vector<c10::IValue> results{output, hidden};
    if (hasCell)
        results.emplace_back(cell);
    return results;
}

} // namespace stagecraft
