// Convolutions, normalizations, embeddings, attention, dropout, recurrent layers.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/torch.h>

#include "meta_kernels/tensor_source.h"

namespace stagecraft::test {

using at::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

// --- convolutions ----------------------------------------------------------------------------------------

// Processors without AVX-512 convolve bfloat16 without oneDNN, volumes always row-major. The Meta kernels say
// the same on every machine: what oneDNN gives.
bool oneDnnTakes(at::ScalarType type)
{
    if (type != at::kBFloat16)
        return true;
    static const auto takesBfloat16 = c10::Dispatcher::singleton()
                                          .findSchemaOrThrow("mkldnn::_is_mkldnn_bf16_supported", "")
                                          .typed<bool()>();
    return takesBfloat16.call();
}

Tensors convolution(TensorSource& s, int dimensions, bool transposed)
{
    const std::int64_t groups = s.coin() ? 1 : 2, in = 2 * groups, out = 3 * groups;
    // One thread convolves single images and 1x1x1 kernels in three dimensions without oneDNN, another way.
    std::vector<std::int64_t> input{dimensions == 3 ? s.number(2, 3) : s.batch(), in},
        weight{transposed ? in : out, (transposed ? out : in) / groups};
    std::vector<std::int64_t> stride, padding, dilation, outputPadding;
    for (int d = 0; d < dimensions; ++d) {
        input.push_back(s.number(6, 9));
        weight.push_back(s.number(dimensions == 3 ? 2 : 1, 3));
        stride.push_back(s.number(1, 2));
        padding.push_back(s.number(0, 1));
        dilation.push_back(s.number(1, 2));
        outputPadding.push_back(0);
    }
    const Tensor x = s.tensor(input), w = s.coin() ? s.weight(weight) : s.tensor(weight);
    const std::optional<Tensor> bias = s.coin() ? std::optional(s.weight({out})) : std::nullopt;
    TORCH_CHECK(dimensions < 3 || oneDnnTakes(x.scalar_type()), "this processor has another way");
    return {at::convolution(x, w, bias, stride, padding, dilation, transposed, outputPadding, groups)};
}

Tensors depthwise(TensorSource& s)
{
    const std::int64_t channels = s.number(2, 6);
    const Tensor x = s.tensor({s.batch(), channels, 7, 7});
    return {at::conv2d(x, s.weight({channels, 1, 3, 3}), s.weight({channels}), 1, 1, 1, channels)};
}

Tensors convolutionWithoutInputGradient(TensorSource& s)
{
    const Tensor x = s.plain({s.number(1, 2), 3, 8, 8}, s.floatType());
    return {at::conv2d(x, s.weight({4, 3, 3, 3}), s.weight({4}))};
}

void addConvolutions(std::vector<MetaKernelCase>& cases)
{
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
        cases.push_back({"conv" + std::to_string(dimensions) + "d",
                         [=](TensorSource& s) { return convolution(s, dimensions, false); }});
        cases.push_back({"conv_transpose" + std::to_string(dimensions) + "d",
                         [=](TensorSource& s) { return convolution(s, dimensions, true); }});
    }
    cases.push_back({"conv2d depthwise", depthwise});
    cases.push_back({"conv2d of an input", convolutionWithoutInputGradient});
}

// --- normalizations --------------------------------------------------------------------------------------

std::vector<std::int64_t> imageSizes(TensorSource& s, std::int64_t channels)
{
    const std::int64_t draw = s.number(0, 3);
    if (draw == 0)
        return {s.number(2, 4), channels};
    if (draw == 1)
        return {s.number(2, 4), channels, 5};
    if (draw == 2)
        return {s.number(1, 4), channels, 5, 3};
    return {s.number(1, 4), channels, 2, 3, 4};
}

Tensors batchNorm(TensorSource& s, bool training)
{
    const std::int64_t channels = s.number(2, 5);
    const Tensor x = s.tensor(imageSizes(s, channels));
    const bool affine = s.coin();
    const Tensor weight = affine ? s.weight({channels}) : Tensor(),
                 bias = affine ? s.weight({channels}) : Tensor();
    const Tensor mean = s.plain({channels}, s.floatType()), variance = s.plain({channels}, s.floatType());
    const auto [y, saved, deviation] =
        at::native_batch_norm(x, weight, bias, mean.contiguous(), variance.contiguous(), training, 0.1, 1e-5);
    return {y, saved, deviation};
}

Tensors instanceNorm(TensorSource& s)
{
    const std::int64_t channels = s.number(2, 5);
    const Tensor x = s.tensor({s.number(1, 3), channels, 5, 4});
    return {at::instance_norm(x, s.weight({channels}), s.weight({channels}), {}, {}, true, 0.1, 1e-5, false)};
}

Tensors layerNorm(TensorSource& s)
{
    const std::int64_t width = s.number(2, 6), rows = s.number(1, 5);
    const Tensor x = s.tensor({s.batch(), rows, width});
    const bool affine = s.coin();
    const std::vector<std::int64_t> shape =
        s.coin() ? std::vector<std::int64_t>{width} : std::vector<std::int64_t>{rows, width};
    const auto [y, mean, deviation] = at::native_layer_norm(x, shape, affine ? s.weight(shape) : Tensor(),
                                                            affine ? s.weight(shape) : Tensor(), 1e-5);
    return {y, mean, deviation};
}

// The kernel itself: at::group_norm brings other devices' inputs into row-major order first.
Tensors groupNorm(TensorSource& s)
{
    const std::int64_t groups = s.number(1, 3), channels = groups * s.number(1, 3), batch = s.number(1, 3);
    const std::int64_t height = s.number(1, 5);
    const Tensor given = s.tensor({batch, channels, height, 4});
    const Tensor x = given.contiguous(given.suggest_memory_format());
    const bool affine = s.coin();
    const auto [y, mean, deviation] = at::native_group_norm(x, affine ? s.weight({channels}) : Tensor(),
                                                            affine ? s.weight({channels}) : Tensor(), batch,
                                                            channels, height * 4, groups, 1e-5);
    return {y, mean, deviation};
}

Tensors rmsNorm(TensorSource& s)
{
    const std::int64_t width = s.number(2, 6);
    const Tensor x = s.tensor({s.batch(), 3, width});
    return {at::rms_norm(x, {width}, s.coin() ? s.weight({width}) : Tensor(), 1e-5)};
}

Tensors weightNorm(TensorSource& s)
{
    const std::int64_t dim = s.number(0, 1);
    const Tensor v = s.weight({4, 3, 5});
    return {at::_weight_norm(
        v, s.weight(dim == 0 ? std::vector<std::int64_t>{4, 1, 1} : std::vector<std::int64_t>{1, 3, 1}),
        dim)};
}

void addNormalizations(std::vector<MetaKernelCase>& cases)
{
    cases.push_back({"batch_norm train", [](TensorSource& s) { return batchNorm(s, true); }});
    cases.push_back({"batch_norm eval", [](TensorSource& s) { return batchNorm(s, false); }});
    cases.push_back({"instance_norm", instanceNorm});
    cases.push_back({"layer_norm", layerNorm});
    cases.push_back({"group_norm", groupNorm});
    cases.push_back({"rms_norm", rmsNorm});
    cases.push_back({"weight_norm", weightNorm});
}

// --- attention -------------------------------------------------------------------------------------------

Tensors cpuAttention(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 3), heads = s.number(1, 4), width = 8 * s.number(1, 2);
    const std::int64_t length = s.number(1, 5), keys = s.number(1, 6);
    const Tensor q = s.tensor({batch, heads, length, width});
    const Tensor k = s.tensor({batch, heads, keys, width}), v = s.tensor({batch, heads, keys, width});
    const auto [out, statistics] = at::_scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, s.coin());
    return {out, statistics};
}

Tensors attentionOfMath(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 3), heads = s.number(1, 4), length = s.number(1, 5);
    const Tensor q = s.tensor({batch, heads, length, 8}), k = s.tensor({batch, heads, length, 8});
    const Tensor mask = s.coin() ? s.mask({length, length}) : Tensor();
    const Tensor converted =
        mask.defined() ? at::where(mask, at::zeros({}, q.options()), at::full({}, -1e9, q.options())) : mask;
    return {std::get<0>(
        at::_scaled_dot_product_attention_math(q, k, s.tensor({batch, heads, length, 8}), converted))};
}

Tensors multiheadWeights(TensorSource& s)
{
    const Tensor scores = s.tensor({2, 3, s.number(1, 5), 4});
    return {at::softmax(scores, -1), at::log_softmax(scores, 1), at::_safe_softmax(scores, -1)};
}

// --- embeddings and dropout ------------------------------------------------------------------------------

Tensors embedding(TensorSource& s)
{
    const std::int64_t rows = s.number(3, 9);
    return {at::embedding(s.weight({rows, 4}), s.indices({s.batch(), s.number(1, 5)}, rows))};
}

Tensors embeddingBag(TensorSource& s, std::int64_t mode)
{
    const std::int64_t rows = s.number(3, 9), bags = s.number(2, 4);
    const Tensor offsets =
        at::arange(bags, at::TensorOptions(s.onMeta() ? at::kMeta : at::kCPU).dtype(at::kLong));
    const auto [out, a, b, c] = at::embedding_bag(s.weight({rows, 4}), s.indices({bags + 2}, rows), offsets,
                                                  false, mode, false, {}, s.coin());
    return {out, a, b, c};
}

Tensors dropout(TensorSource& s)
{
    return {at::dropout(s.tensor({s.batch(), 3, 4}), 0.25, true)};
}

Tensors nativeDropout(TensorSource& s)
{
    const auto [out, mask] = at::native_dropout(s.tensor({s.batch(), 3, 4}), 0.25, true);
    return {out, mask};
}

// --- recurrent layers, as the composite operators run them -----------------------------------------------

Tensors gru(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 3), in = 3, hidden = 4;
    const Tensor x = s.weight({s.number(1, 4), batch, in});
    const Tensors weights{s.weight({3 * hidden, in}), s.weight({3 * hidden, hidden}), s.weight({3 * hidden}),
                          s.weight({3 * hidden})};
    const auto [out, last] =
        at::gru(x, s.weight({1, batch, hidden}), weights, true, 1, 0.0, true, false, false);
    return {out, last};
}

Tensors lstmCell(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 3), in = 3, hidden = 4;
    const Tensors state{s.weight({batch, hidden}), s.weight({batch, hidden})};
    const auto [h, c] =
        at::lstm_cell(s.tensor({batch, in}), state, s.weight({4 * hidden, in}),
                      s.weight({4 * hidden, hidden}), s.weight({4 * hidden}), s.weight({4 * hidden}));
    return {h, c};
}

} // namespace

std::vector<MetaKernelCase> layerCases()
{
    std::vector<MetaKernelCase> cases;
    addConvolutions(cases);
    addNormalizations(cases);
    cases.push_back({"attention of the cpu", cpuAttention});
    cases.push_back({"attention of matrix products", attentionOfMath});
    cases.push_back({"softmax", multiheadWeights});
    cases.push_back({"embedding", embedding});
    cases.push_back({"embedding_bag sum", [](TensorSource& s) { return embeddingBag(s, 0); }});
    cases.push_back({"embedding_bag mean", [](TensorSource& s) { return embeddingBag(s, 1); }});
    cases.push_back({"embedding_bag max", [](TensorSource& s) { return embeddingBag(s, 2); }});
    cases.push_back({"dropout", dropout});
    cases.push_back({"native_dropout", nativeDropout});
    cases.push_back({"gru", gru});
    cases.push_back({"lstm_cell", lstmCell});
    return cases;
}

} // namespace stagecraft::test
