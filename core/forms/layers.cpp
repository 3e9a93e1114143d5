#include "core/forms/layers.h"

#include "core/forms/tensor_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stagecraft {

namespace {

constexpr const char* linearClass = "torch.nn.modules.linear.Linear";

InitialValues fanIn(const SymInt& width)
{
    return InitialValues::normal(1 / std::sqrt(static_cast<double>(exampleSize(width))));
}

// Llama 3.1: long waves are stretched, short ones kept, those between in proportion.
double longWavesStretched(double frequency, double factor)
{
    constexpr double positionsBefore = 8192;
    constexpr double lowTurns = 1;
    constexpr double highTurns = 4;
    const double turns = positionsBefore * frequency / (2 * std::numbers::pi);
    const double kept = std::clamp((turns - lowTurns) / (highTurns - lowTurns), 0.0, 1.0);
    return (1 - kept) * frequency / factor + kept * frequency;
}

// The pair of dimensions whose wave turns so often over the positions of before.
double pairOfTurns(double turns, const RotaryPositions& positions)
{
    constexpr double positionsBefore = 4096;
    const double waves = std::log(positionsBefore / (turns * 2 * std::numbers::pi));
    return static_cast<double>(positions.width) * waves / (2 * std::log(positions.base));
}

// YaRN: pairs that turn often are kept, those that turn seldom stretched, those between in proportion.
double yarnStretched(double frequency, double pair, const RotaryPositions& positions)
{
    constexpr double manyTurns = 32;
    constexpr double fewTurns = 1;
    const double last = static_cast<double>(positions.width - 1);
    const double first = std::max(std::floor(pairOfTurns(manyTurns, positions)), 0.0);
    const double end = std::min(std::ceil(pairOfTurns(fewTurns, positions)), last);
    const double share = std::clamp((pair - first) / std::max(end - first, 0.001), 0.0, 1.0);
    return share * frequency / positions.factor + (1 - share) * frequency;
}

double frequencyOf(std::int64_t pair, const RotaryPositions& positions)
{
    const double share = static_cast<double>(2 * pair) / static_cast<double>(positions.width);
    const double frequency = 1 / std::pow(positions.base, share);
    if (positions.factor == 1)
        return frequency;
    switch (positions.stretch) {
    case RotaryStretch::AllWaves:
        return frequency / positions.factor;
    case RotaryStretch::Yarn:
        return yarnStretched(frequency, static_cast<double>(pair), positions);
    case RotaryStretch::LongWaves:
        break;
    }
    return longWavesStretched(frequency, positions.factor);
}

std::vector<double> frequencies(const RotaryPositions& positions)
{
    std::vector<double> result;
    for (std::int64_t i = 0; i < positions.width / 2; ++i)
        result.push_back(frequencyOf(i, positions));
    return result;
}

} // namespace

// ---------------------------------------------------------------- torch.nn
ValueId linearLayer(Network& net, const std::string& path, ValueId x, std::int64_t width, HasBias bias)
{
    const Network::Scope scope = net.enter(path, linearClass);
    const SymInt from = net.sizes(x).back();
    const ValueId weight = net.parameter("weight", {width, from}, fanIn(from));
    if (bias == HasBias::No)
        return linear(net, x, weight);
    return linear(net, x, weight, net.parameter("bias", {width}, InitialValues::normal(0.02)));
}

ValueId embeddingLayer(Network& net, const std::string& path, ValueId ids, std::int64_t rows,
                       std::int64_t width, std::optional<std::int64_t> padding)
{
    const Network::Scope scope = net.enter(path, "torch.nn.modules.sparse.Embedding");
    return embedding(net, net.parameter("weight", {rows, width}), ids, padding);
}

ValueId layerNormLayer(Network& net, const std::string& path, ValueId x, double epsilon, HasBias bias)
{
    const Network::Scope scope = net.enter(path, "torch.nn.modules.normalization.LayerNorm");
    return layerNormHere(net, x, epsilon, bias);
}

ValueId layerNormHere(Network& net, ValueId x, double epsilon, HasBias bias)
{
    const std::int64_t width = net.sizes(x).back().constant();
    const ValueId weight = net.parameter("weight", {width}, InitialValues::constant(1));
    if (bias == HasBias::No)
        return layerNorm(net, x, width, weight, {}, epsilon);
    return layerNorm(net, x, width, weight, net.parameter("bias", {width}, InitialValues::normal(0.02)),
                     epsilon);
}

ValueId dropoutLayer(Network& net, const std::string& path, ValueId x, std::int64_t percent)
{
    if (percent == 0)
        return x;
    const Network::Scope scope = net.enter(path, "torch.nn.modules.dropout.Dropout");
    return dropout(net, x, percent);
}

ValueId activate(Network& net, ValueId x, Activation activation)
{
    switch (activation) {
    case Activation::Silu:
        return unary(net, "silu", x);
    case Activation::Relu:
        return unary(net, "relu", x);
    case Activation::Gelu:
        return gelu(net, x, false);
    case Activation::GeluTanh:
        return gelu(net, x, true);
    case Activation::QuickGelu:
        return mul(net, x, unary(net, "sigmoid", mulNumber(net, x, 1.702)));
    case Activation::NewGelu:
        break;
    }
    const ValueId half = mulNumber(net, x, 0.5);
    const ValueId cubes = mulNumber(net, power(net, x, 3.0), 0.044715);
    const ValueId inner = mulNumber(net, add(net, x, cubes), std::sqrt(2 / std::numbers::pi));
    return mul(net, half, addNumber(net, unary(net, "tanh", inner), 1.0));
}

ValueId activationLayer(Network& net, const std::string& path, const std::string& className, ValueId x,
                        Activation activation)
{
    const Network::Scope scope = net.enter(path, className);
    return activate(net, x, activation);
}

// ---------------------------------------------------------------- norms
ValueId rmsNormLayer(Network& net, const std::string& path, const std::string& className, ValueId x,
                     double epsilon, NormScale scale)
{
    const Network::Scope scope = net.enter(path, className);
    const DType type = net.meta(x).dtype;
    const ValueId wide = toType(net, x, DType::F32);
    const ValueId squares = mean(net, power(net, wide, std::int64_t{2}), {-1}, true);
    const ValueId normed = mul(net, wide, unary(net, "rsqrt", addNumber(net, squares, epsilon)));
    if (scale == NormScale::None)
        return toType(net, normed, type);
    const SymInt width = net.sizes(x).back();
    if (scale == NormScale::Weight) {
        const ValueId weight = net.parameter("weight", {width}, InitialValues::constant(1));
        return mul(net, weight, toType(net, normed, type));
    }
    const ValueId weight = net.parameter("weight", {width}, InitialValues::normal(0.02));
    const ValueId scaled = mul(net, normed, addNumber(net, toType(net, weight, DType::F32), 1.0));
    return toType(net, scaled, type);
}

// ---------------------------------------------------------------- positions
ValueId waveFrequencies(Network& net, std::int64_t count)
{
    const ValueId counted = net.op("arange.start",
                                   {{"start", std::int64_t{0}},
                                    {"end", count},
                                    {"=dtype", DType::F32},
                                    {"=device", Device{}},
                                    {"=pin_memory", false}},
                                   contiguousMeta(DType::F32, {count}));
    const ValueId powers =
        divideByNumber(net, mulNumber(net, counted, -std::log(10000.0)), static_cast<double>(count));
    return unary(net, "exp", powers);
}

RotaryTables rotaryTables(Network& net, const std::string& path, const SymInt& time,
                          const RotaryPositions& positions)
{
    const ValueId places = unsqueeze(net, arange(net, time), 0);
    const Network::Scope scope = net.enter(path, positions.className);
    const InitialValues initial{InitialValues::Kind::Listed, 0, frequencies(positions)};
    const ValueId inverse =
        net.buffer(positions.frequencies, {positions.width / 2}, initial, DType::F32, false);
    const ValueId angles = mul(net, toType(net, unsqueeze(net, places, -1), DType::F32), inverse);
    const ValueId both = cat(net, {angles, angles}, -1);
    const auto table = [&](const char* function) {
        return toType(net, mulNumber(net, unary(net, function, both), 1.0), net.dtype());
    };
    const ValueId cosines = table("cos");
    return {cosines, table("sin")};
}

ValueId turned(Network& net, ValueId x, ValueId cosines, ValueId sines)
{
    const std::int64_t width = net.sizes(x).back().constant();
    const ValueId straight = mul(net, x, cosines);
    const ValueId first = slice(net, x, 3, 0, width / 2);
    const ValueId second = unary(net, "neg", slice(net, x, 3, width / 2, width));
    return add(net, straight, mul(net, cat(net, {second, first}, -1), sines));
}

// ---------------------------------------------------------------- feed-forward
ValueId gatedFeedForward(Network& net, const std::string& path, const std::string& className, ValueId x,
                         const GatedFeedForward& shape)
{
    const Network::Scope scope = net.enter(path, className);
    const std::int64_t width = net.sizes(x).back().constant();
    const ValueId gate = linearLayer(net, "gate_proj", x, shape.width);
    const ValueId active = activationLayer(net, "act_fn", shape.activationClass, gate, shape.activation);
    const ValueId up = linearLayer(net, "up_proj", x, shape.width);
    return linearLayer(net, "down_proj", mul(net, active, up), width);
}

// ---------------------------------------------------------------- experts
namespace {

// What goes to which expert: pairs of token and expert, sorted by expert.
struct ExpertOrder
{
    ValueId order; // where each sorted pair was
    ValueId ends;  // of each expert's rows
};

ExpertOrder sortByExpert(Network& net, ValueId experts, std::int64_t count)
{
    const Sizes pairs = net.sizes(experts);
    const auto sorted = net.ops("sort", {{"self", experts}},
                                {contiguousMeta(DType::I64, pairs), contiguousMeta(DType::I64, pairs)},
                                NodeOutput::Kind::Value);
    const ValueId numbers = toType(net, sorted[0], DType::F32);
    const ValueId counts =
        net.op("histc", {{"self", numbers}, {"bins", count}, {"min", std::int64_t{0}}, {"max", count - 1}},
               contiguousMeta(DType::F32, {count}));
    const ValueId ends =
        net.op("cumsum", {{"self", counts}, {"dim", std::int64_t{0}}, {"=dtype", DType::I32}},
               contiguousMeta(DType::I32, {count}));
    return {sorted[1], ends};
}

// Rows of x times the matrix of their expert, weight [experts, out, in].
ValueId groupedLinear(Network& net, ValueId x, ValueId weight, ValueId ends)
{
    const ValueId turnedWeight = transpose(net, weight, -2, -1);
    return net.op("_grouped_mm", {{"self", x}, {"mat2", turnedWeight}, {"offs", ends}},
                  contiguousMeta(net.meta(x).dtype, {net.sizes(x)[0], net.sizes(weight)[1]}));
}

// The places that sorted rows came from, inverted.
ValueId inverted(Network& net, ValueId order)
{
    const TensorMeta meta = net.meta(order);
    const ValueId empty = net.op("empty_like", {{"self", order}, {"=pin_memory", false}}, meta);
    const ValueId ones = net.op("ones_like", {{"self", order}, {"=pin_memory", false}}, meta);
    const ValueId counted = net.op("cumsum", {{"self", ones}, {"dim", std::int64_t{0}}}, meta);
    const ValueId places = net.op("sub.Tensor", {{"self", counted}, {"other", std::int64_t{1}}}, meta);
    return net.op("index_put",
                  {{"self", empty}, {"indices", TensorListArgument{{order}}}, {"values", places}}, meta);
}

} // namespace

ValueId expertsLayer(Network& net, const std::string& path, const std::string& className, ValueId x,
                     const Routing& routing, const ExpertsShape& shape)
{
    const Network::Scope scope = net.enter(path, className);
    const SymInt width = net.sizes(x)[1];
    const SymInt tokens = net.sizes(x)[0];
    const SymInt pairs = product({tokens, shape.chosen});
    const ValueId gateUp =
        net.parameter("gate_up_proj", {shape.experts, 2 * shape.width, width}, fanIn(width));
    const ValueId down = net.parameter("down_proj", {shape.experts, width, shape.width}, fanIn(shape.width));
    const ValueId weights = reshape(net, routing.weights, {pairs});
    const ExpertOrder sorted = sortByExpert(net, reshape(net, routing.experts, {pairs}), shape.experts);
    const ValueId source =
        net.op("floor_divide", {{"self", sorted.order}, {"other", shape.chosen}}, net.meta(sorted.order));
    const ValueId rows = index(net, x, source);
    const ValueId shares = index(net, weights, sorted.order);
    const std::vector<ValueId> inner = chunk(net, groupedLinear(net, rows, gateUp, sorted.ends), 2, -1);
    const ValueId active =
        activationLayer(net, "act_fn", "transformers.activations.SiLUActivation", inner[0], Activation::Silu);
    const ValueId made = groupedLinear(net, mul(net, active, inner[1]), down, sorted.ends);
    const ValueId weighted = mul(net, made, unsqueeze(net, shares, -1));
    const ValueId back = index(net, weighted, inverted(net, sorted.order));
    const ValueId byToken = view(net, back, {tokens, shape.chosen, width});
    return toType(net, sumOver(net, byToken, 1, false), net.meta(x).dtype);
}

} // namespace stagecraft
