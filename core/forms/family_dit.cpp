#include "core/forms/convolutions.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"
#include "core/forms/tensor_shapes.h"

#include <cmath>

namespace stagecraft {

namespace {

constexpr const char* ditModule = "models."; // of the file that the authors published
constexpr double ditEpsilon = 1e-6;

std::string ditClass(const char* name)
{
    return std::string(ditModule) + name;
}

// Sines and cosines of where each patch is: half of the width for its column, half for its row.
std::vector<double> placesOfPatches(std::int64_t side, std::int64_t width)
{
    std::vector<double> numbers;
    const std::int64_t waves = width / 4;
    const auto append = [&](std::int64_t at) {
        for (const bool isSine : {true, false})
            for (std::int64_t i = 0; i < waves; ++i) {
                const double share = static_cast<double>(i) / static_cast<double>(waves);
                const double angle = static_cast<double>(at) / std::pow(10000.0, share);
                numbers.push_back(isSine ? std::sin(angle) : std::cos(angle));
            }
    };
    for (std::int64_t row = 0; row < side; ++row)
        for (std::int64_t column = 0; column < side; ++column) {
            append(column);
            append(row);
        }
    return numbers;
}

ValueId patchTokens(Network& net, const FormValues& values, ValueId images)
{
    const std::int64_t width = values["width"];
    const std::int64_t side = values["image"] / values["patch"];
    const ValueId places =
        net.buffer("pos_embed", {1, side * side, width},
                   {InitialValues::Kind::Listed, 0, placesOfPatches(side, width)}, net.dtype(), true);
    const Network::Scope scope = net.enter("x_embedder", "timm.layers.patch_embed.PatchEmbed");
    const ValueId made = convolutionLayer(
        net, "proj", images,
        {.channels = width, .kernel = values["patch"], .stride = values["patch"], .bias = HasBias::Yes});
    return add(net, transpose(net, flatten(net, made, 2), 1, 2), places);
}

// A vector of each time step, [batch, width].
ValueId stepVectors(Network& net, const FormValues& values, ValueId steps)
{
    constexpr std::int64_t waves = 128;
    const Network::Scope scope = net.enter("t_embedder", ditClass("TimestepEmbedder"));
    const ValueId frequencies = unsqueeze(net, waveFrequencies(net, waves), 0);
    const ValueId angles = mul(net, unsqueeze(net, steps, 1), frequencies);
    const ValueId sines = cat(net, {unary(net, "cos", angles), unary(net, "sin", angles)}, -1);
    const ValueId wide =
        linearLayer(net, "mlp.0", toType(net, sines, net.dtype()), values["width"], HasBias::Yes);
    return linearLayer(net, "mlp.2", activate(net, wide, Activation::Silu), values["width"], HasBias::Yes);
}

// A vector of each label, [batch, width]; of a share of them that of no label, which guidance needs.
ValueId labelVectors(Network& net, const FormValues& values, ValueId labels)
{
    const Network::Scope scope = net.enter("y_embedder", ditClass("LabelEmbedder"));
    const std::int64_t classes = values["classes"];
    const std::int64_t leftOut = values["label-dropout"];
    if (leftOut == 0)
        return embeddingLayer(net, "embedding_table", labels, classes, values["width"]);
    const Sizes sizes = net.sizes(labels);
    const ValueId chances =
        net.op("rand", {{"size", net.sizeList(sizes)}, {"=device", Device{}}, {"=pin_memory", false}},
               contiguousMeta(DType::F32, sizes));
    const ValueId isOut =
        net.op("lt.Scalar", {{"self", chances}, {"other", static_cast<double>(leftOut) / 100}},
               contiguousMeta(DType::Bool, sizes));
    const ValueId known =
        net.op("where.ScalarSelf", {{"condition", isOut}, {"self", classes}, {"other", labels}},
               contiguousMeta(DType::I64, sizes));
    return embeddingLayer(net, "embedding_table", known, classes + 1, values["width"]);
}

// Shifts, scales and gates out of what the model is to draw, [batch, width] each.
std::vector<ValueId> modulations(Network& net, ValueId condition, std::int64_t count)
{
    const std::int64_t width = net.sizes(condition)[1].constant();
    const Network::Scope scope = net.enter("adaLN_modulation", "torch.nn.modules.container.Sequential");
    const ValueId made =
        linearLayer(net, "1", activate(net, condition, Activation::Silu), count * width, HasBias::Yes);
    return chunk(net, made, count, 1);
}

ValueId modulated(Network& net, const char* path, ValueId x, ValueId shift, ValueId scale)
{
    const ValueId normed = [&] {
        const Network::Scope scope = net.enter(path, "torch.nn.modules.normalization.LayerNorm");
        return layerNorm(net, x, net.sizes(x).back().constant(), {}, {}, ditEpsilon);
    }();
    const ValueId scaled = mul(net, normed, addNumber(net, unsqueeze(net, scale, 1), 1.0));
    return add(net, scaled, unsqueeze(net, shift, 1));
}

ValueId ditAttention(Network& net, const FormValues& values, ValueId x)
{
    const Network::Scope scope = net.enter("attn", "timm.models.vision_transformer.Attention");
    const Sizes sizes = net.sizes(x);
    const std::int64_t width = values["width"];
    const std::int64_t heads = values["heads"];
    const ValueId all = linearLayer(net, "qkv", x, 3 * width, HasBias::Yes);
    const ValueId split = reshape(net, all, {sizes[0], sizes[1], 3, heads, width / heads});
    const ValueId apart = permute(net, split, {2, 0, 3, 1, 4});
    std::vector<TensorMeta> metas;
    for (std::int64_t i = 0; i < 3; ++i) {
        metas.push_back(sliceMeta(net.meta(apart), 0, i, 1));
        metas.back().sizes.erase(metas.back().sizes.begin());
        metas.back().strides.erase(metas.back().strides.begin());
    }
    const auto parts = net.ops("unbind.int", {{"self", apart}}, metas, NodeOutput::Kind::List);
    const ValueId attended = scaledDotProductAttention(net, parts[0], parts[1], parts[2], {});
    return linearLayer(net, "proj", reshape(net, transpose(net, attended, 1, 2), sizes), width, HasBias::Yes);
}

ValueId ditBlock(Network& net, const FormValues& values, std::int64_t index, ValueId x, ValueId condition)
{
    const Network::Scope scope = net.enter("blocks." + std::to_string(index), ditClass("DiTBlock"));
    const auto parts = modulations(net, condition, 6);
    const ValueId attended = ditAttention(net, values, modulated(net, "norm1", x, parts[0], parts[1]));
    x = add(net, x, mul(net, unsqueeze(net, parts[2], 1), attended));
    const ValueId normed = modulated(net, "norm2", x, parts[3], parts[4]);
    const ValueId fed = [&] {
        const Network::Scope inner = net.enter("mlp", "timm.layers.mlp.Mlp");
        const ValueId wide = linearLayer(net, "fc1", normed, values["inner"], HasBias::Yes);
        return linearLayer(net, "fc2", activate(net, wide, Activation::GeluTanh), values["width"],
                           HasBias::Yes);
    }();
    return add(net, x, mul(net, unsqueeze(net, parts[5], 1), fed));
}

// Tokens as an image again, of twice the channels: noise and its variance.
ValueId drawn(Network& net, const FormValues& values, ValueId x, ValueId condition, const SymInt& batch)
{
    const std::int64_t patch = values["patch"];
    const std::int64_t channels = 2 * values["channels"];
    const std::int64_t side = values["image"] / patch;
    const ValueId patches = [&] {
        const Network::Scope scope = net.enter("final_layer", ditClass("FinalLayer"));
        const auto parts = modulations(net, condition, 2);
        return linearLayer(net, "linear", modulated(net, "norm_final", x, parts[0], parts[1]),
                           patch * patch * channels, HasBias::Yes);
    }();
    const ValueId split = reshape(net, patches, {batch, side, side, patch, patch, channels});
    return reshape(net, permute(net, split, {0, 5, 1, 3, 2, 4}),
                   {batch, channels, values["image"], values["image"]});
}

void writeDit(Network& net, const FormValues& values)
{
    const SymInt batch = net.symbol("batch", values["batch"], 1, std::int64_t{1} << 24);
    const ValueId images =
        net.input("x", {batch, values["channels"], values["image"], values["image"]}, net.dtype());
    const ValueId steps = net.input("t", {batch}, DType::F32);
    const ValueId labels = net.input("y", {batch}, DType::I64);
    ValueId x = patchTokens(net, values, images);
    const ValueId time = stepVectors(net, values, steps);
    const ValueId condition = add(net, time, labelVectors(net, values, labels));
    for (std::int64_t i = 0; i < values["layers"]; ++i)
        x = ditBlock(net, values, i, x, condition);
    net.output(drawn(net, values, x, condition, batch));
}

Result<void> checkDit(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "heads", "width"));
    STAGECRAFT_TRY(divides(values, "patch", "image"));
    return dividesBy(values, "width", 4, "sines and cosines of rows and columns");
}

FormPreset ditPreset(const std::string& name, const std::string& title, std::int64_t layers,
                     std::int64_t width, std::int64_t heads, std::int64_t millions)
{
    return {name,
            title,
            {{"layers", layers}, {"width", width}, {"heads", heads}, {"inner", 4 * width}},
            millions * 1000000,
            "table 4 of arXiv:2212.09748, rounded as there",
            1000000};
}

} // namespace

FormFamily ditFamily()
{
    return {.name = "dit",
            .title = "DiT",
            .group = "Vision",
            .summary = "Diffusion transformer: patches of a latent image, layer norms set by step and label",
            .rootClass = ditClass("DiT"),
            .parameters = {countParameter("layers", "Layers", 28, 1, 10000),
                           countParameter("width", "Width", 1152),
                           countParameter("heads", "Heads", 16, 1, 10000),
                           countParameter("inner", "Width of feed-forward", 4608),
                           {"image", "Latent image", "pixels", 1, 1 << 12, 32, {}},
                           {"patch", "Patch", "pixels", 1, 1 << 12, 2, {}},
                           countParameter("channels", "Channels of the latent image", 4, 1, 1 << 12),
                           countParameter("classes", "Classes", 1000),
                           {"label-dropout", "Labels left out", "%", 0, 99, 10, {}},
                           batchParameter(32),
                           dtypeParameter(UsualType::F32)},
            .presets = {ditPreset("dit-xl-2", "DiT-XL/2", 28, 1152, 16, 675),
                        ditPreset("dit-l-2", "DiT-L/2", 24, 1024, 16, 458),
                        ditPreset("dit-b-2", "DiT-B/2", 12, 768, 12, 130),
                        ditPreset("dit-s-2", "DiT-S/2", 12, 384, 6, 33)},
            .check = checkDit,
            .write = writeDit};
}

} // namespace stagecraft
