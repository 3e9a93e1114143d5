#include "core/forms/convolutions.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"
#include "core/forms/tensor_shapes.h"

#include <array>

namespace stagecraft {

namespace {

constexpr const char* unetModels = "diffusers.models.";

constexpr double blockEpsilon = 1e-5;
constexpr double transformerEpsilon = 1e-6;

std::string unetClass(const char* name)
{
    return std::string(unetModels) + name;
}

// "width-2" of the second level.
std::int64_t ofLevel(const FormValues& values, const char* name, std::int64_t level)
{
    return values[std::string(name) + "-" + std::to_string(level + 1)];
}

// What all blocks of a model read.
struct UnetContext
{
    const FormValues& values;
    ValueId step; // [batch, 4 x width of the first level]
    ValueId text; // [batch, sequence, text-width]
};

// ---------------------------------------------------------------- the step, and what else images depend on
// Waves of each number, [numbers, 2 x waves]: cosines before sines.
ValueId wavesOf(Network& net, const std::string& path, ValueId numbers, std::int64_t waves)
{
    const Network::Scope scope = net.enter(path, unetClass("embeddings.Timesteps"));
    const ValueId frequencies = waveFrequencies(net, waves);
    const ValueId wide = toType(net, unsqueeze(net, numbers, 1), DType::F32);
    const ValueId angles = mulNumber(net, mul(net, wide, unsqueeze(net, frequencies, 0)), 1.0);
    const ValueId both = cat(net, {unary(net, "sin", angles), unary(net, "cos", angles)}, -1);
    const ValueId cosines = slice(net, both, 1, waves, 2 * waves);
    return cat(net, {cosines, slice(net, both, 1, 0, waves)}, -1);
}

ValueId embeddedVector(Network& net, const std::string& path, ValueId x, std::int64_t width)
{
    const Network::Scope scope = net.enter(path, unetClass("embeddings.TimestepEmbedding"));
    const ValueId wide = linearLayer(net, "linear_1", x, width, HasBias::Yes);
    return linearLayer(net, "linear_2", activate(net, wide, Activation::Silu), width, HasBias::Yes);
}

// Of the text as a whole, and of numbers of the image: its size, its crop.
ValueId pooledVector(Network& net, const FormValues& values, const SymInt& batch, std::int64_t width)
{
    const std::int64_t count = values["image-numbers"];
    const ValueId pooled = net.input("text_embeds", {batch, values["pooled-width"]}, net.dtype());
    const ValueId numbers = net.input("time_ids", {batch, count}, net.dtype());
    const std::int64_t waves = values["size-waves"];
    const ValueId each = wavesOf(net, "add_time_proj", flatten(net, numbers, 0), waves);
    const ValueId together = reshape(net, each, {batch, count * 2 * waves});
    const ValueId both = cat(net, {pooled, toType(net, together, net.dtype())}, -1);
    return embeddedVector(net, "add_embedding", both, width);
}

// ---------------------------------------------------------------- blocks
// Two convolutions beside a shortcut, the step added between them.
ValueId residualBlock(Network& net, const UnetContext& context, const std::string& path, ValueId x,
                      std::int64_t width)
{
    const Network::Scope scope = net.enter(path, unetClass("resnet.ResnetBlock2D"));
    const std::int64_t groups = context.values["norm-groups"];
    const Convolution near{.channels = width, .kernel = 3, .padding = 1, .bias = HasBias::Yes};
    const auto convolved = [&](const std::string& number, ValueId of) {
        const ValueId normed = groupNormLayer(net, "norm" + number, of, groups, blockEpsilon);
        return convolutionLayer(net, "conv" + number, activate(net, normed, Activation::Silu), near);
    };
    const ValueId first = convolved("1", x);
    const ValueId step =
        linearLayer(net, "time_emb_proj", activate(net, context.step, Activation::Silu), width, HasBias::Yes);
    const ValueId placed = add(net, first, unsqueeze(net, unsqueeze(net, step, 2), 3));
    const ValueId second = convolved("2", placed);
    const bool isWider = net.sizes(x)[1] != SymInt(width);
    const ValueId beside =
        isWider ? convolutionLayer(net, "conv_shortcut", x, {.channels = width, .bias = HasBias::Yes}) : x;
    return divideByNumber(net, add(net, beside, second), 1.0);
}

// Pixels attend to `other`: to each other, or to the words of the text.
ValueId pixelAttention(Network& net, const std::string& path, ValueId x, ValueId other, std::int64_t heads)
{
    const Network::Scope scope = net.enter(path, unetClass("attention_processor.Attention"));
    const Sizes sizes = net.sizes(x);
    const std::int64_t width = sizes[2].constant();
    const ValueId query = linearLayer(net, "to_q", x, width);
    const ValueId key = linearLayer(net, "to_k", other, width);
    const ValueId value = linearLayer(net, "to_v", other, width);
    const auto split = [&](ValueId of) {
        return transpose(net, view(net, of, {sizes[0], net.sizes(of)[1], heads, width / heads}), 1, 2);
    };
    const ValueId asked = split(query);
    const ValueId found = split(key);
    const ValueId attended = scaledDotProductAttention(net, asked, found, split(value), {});
    const ValueId rows = reshape(net, transpose(net, attended, 1, 2), sizes);
    return divideByNumber(net, linearLayer(net, "to_out.0", rows, width, HasBias::Yes), 1.0);
}

ValueId unetFeedForward(Network& net, ValueId x)
{
    const Network::Scope scope = net.enter("ff", unetClass("attention.FeedForward"));
    const std::int64_t width = net.sizes(x)[2].constant();
    const ValueId inner = [&] {
        const Network::Scope gated = net.enter("net.0", unetClass("activations.GEGLU"));
        const auto halves = chunk(net, linearLayer(net, "proj", x, 8 * width, HasBias::Yes), 2, -1);
        return mul(net, halves[0], activate(net, halves[1], Activation::Gelu));
    }();
    return linearLayer(net, "net.2", inner, width, HasBias::Yes);
}

ValueId unetTransformerLayer(Network& net, const UnetContext& context, const std::string& path, ValueId x,
                             std::int64_t heads)
{
    const Network::Scope scope = net.enter(path, unetClass("attention.BasicTransformerBlock"));
    const ValueId own = layerNormLayer(net, "norm1", x, blockEpsilon);
    x = add(net, pixelAttention(net, "attn1", own, own, heads), x);
    const ValueId asking = layerNormLayer(net, "norm2", x, blockEpsilon);
    x = add(net, pixelAttention(net, "attn2", asking, context.text, heads), x);
    return add(net, unetFeedForward(net, layerNormLayer(net, "norm3", x, blockEpsilon)), x);
}

// Pixels as tokens, and back.
ValueId pixelTransformer(Network& net, const UnetContext& context, const std::string& path, ValueId x,
                         std::int64_t heads, std::int64_t layers)
{
    const Network::Scope scope = net.enter(path, unetClass("transformers.transformer_2d.Transformer2DModel"));
    const bool isLinear = context.values["linear-projection"] != 0;
    const Sizes sizes = net.sizes(x);
    const std::int64_t width = sizes[1].constant();
    const Convolution plain{.channels = width, .bias = HasBias::Yes};
    const auto asTokens = [&](ValueId of) {
        return reshape(net, permute(net, of, {0, 2, 3, 1}), {sizes[0], product({sizes[2], sizes[3]}), width});
    };
    const auto asImage = [&](ValueId of) {
        const ValueId split = reshape(net, of, {sizes[0], sizes[2], sizes[3], width});
        return contiguous(net, permute(net, split, {0, 3, 1, 2}));
    };
    const ValueId normed = groupNormLayer(net, "norm", x, context.values["norm-groups"], transformerEpsilon);
    ValueId tokens = isLinear ? linearLayer(net, "proj_in", asTokens(normed), width, HasBias::Yes)
                              : asTokens(convolutionLayer(net, "proj_in", normed, plain));
    for (std::int64_t i = 0; i < layers; ++i)
        tokens = unetTransformerLayer(net, context, "transformer_blocks." + std::to_string(i), tokens, heads);
    const ValueId made = isLinear ? asImage(linearLayer(net, "proj_out", tokens, width, HasBias::Yes))
                                  : convolutionLayer(net, "proj_out", asImage(tokens), plain);
    return add(net, made, x);
}

// The block of that number in a level: its residual block, and its transformer where the level has one.
ValueId blockOfLevel(Network& net, const UnetContext& context, std::int64_t level, std::int64_t number,
                     ValueId x)
{
    const std::string place = std::to_string(number);
    x = residualBlock(net, context, "resnets." + place, x, ofLevel(context.values, "width", level));
    const std::int64_t layers = ofLevel(context.values, "transformers", level);
    if (layers == 0)
        return x;
    return pixelTransformer(net, context, "attentions." + place, x, ofLevel(context.values, "heads", level),
                            layers);
}

std::string levelClass(const FormValues& values, std::int64_t level, const char* way)
{
    const bool attends = ofLevel(values, "transformers", level) > 0;
    return unetClass("unets.unet_2d_blocks.") + (attends ? "CrossAttn" : "") + way + "Block2D";
}

// ---------------------------------------------------------------- down, across and up
// What each block gives on the way down is kept for the way up, the last first.
ValueId wayDown(Network& net, const UnetContext& context, ValueId x, std::vector<ValueId>& kept)
{
    const std::int64_t levels = context.values["levels"];
    for (std::int64_t level = 0; level < levels; ++level) {
        const Network::Scope scope =
            net.enter("down_blocks." + std::to_string(level), levelClass(context.values, level, "Down"));
        for (std::int64_t i = 0; i < context.values["blocks"]; ++i) {
            x = blockOfLevel(net, context, level, i, x);
            kept.push_back(x);
        }
        if (level + 1 == levels)
            break;
        const Network::Scope halving = net.enter("downsamplers.0", unetClass("downsampling.Downsample2D"));
        x = convolutionLayer(net, "conv", x,
                             {.channels = ofLevel(context.values, "width", level),
                              .kernel = 3,
                              .stride = 2,
                              .padding = 1,
                              .bias = HasBias::Yes});
        kept.push_back(x);
    }
    return x;
}

ValueId across(Network& net, const UnetContext& context, ValueId x)
{
    const Network::Scope scope =
        net.enter("mid_block", unetClass("unets.unet_2d_blocks.UNetMidBlock2DCrossAttn"));
    const std::int64_t level = context.values["levels"] - 1;
    const std::int64_t width = ofLevel(context.values, "width", level);
    x = residualBlock(net, context, "resnets.0", x, width);
    x = pixelTransformer(net, context, "attentions.0", x, ofLevel(context.values, "heads", level),
                         context.values["transformers-middle"]);
    return residualBlock(net, context, "resnets.1", x, width);
}

ValueId wayUp(Network& net, const UnetContext& context, ValueId x, std::vector<ValueId>& kept)
{
    const std::int64_t levels = context.values["levels"];
    for (std::int64_t level = levels - 1; level >= 0; --level) {
        const Network::Scope scope = net.enter("up_blocks." + std::to_string(levels - 1 - level),
                                               levelClass(context.values, level, "Up"));
        for (std::int64_t i = 0; i <= context.values["blocks"]; ++i) {
            const ValueId both = cat(net, {x, kept.back()}, 1);
            kept.pop_back();
            x = blockOfLevel(net, context, level, i, both);
        }
        if (level == 0)
            break;
        const Network::Scope doubling = net.enter("upsamplers.0", unetClass("upsampling.Upsample2D"));
        x = convolutionLayer(net, "conv", upsampleNearest(net, x),
                             {.channels = ofLevel(context.values, "width", level),
                              .kernel = 3,
                              .padding = 1,
                              .bias = HasBias::Yes});
    }
    return x;
}

void writeUnet(Network& net, const FormValues& values)
{
    const SymInt batch = net.symbol("batch", values["batch"], 1, std::int64_t{1} << 24);
    const SymInt words = net.symbol("sequence", values["sequence"], 1, std::int64_t{1} << 24);
    const std::int64_t channels = values["channels"];
    const std::int64_t width = values["width-1"];
    const ValueId images =
        net.input("sample", {batch, channels, values["image"], values["image"]}, net.dtype());
    const ValueId steps = net.input("timestep", {batch}, DType::I64);
    const ValueId text =
        net.input("encoder_hidden_states", {batch, words, values["text-width"]}, net.dtype());
    const ValueId waves = toType(net, wavesOf(net, "time_proj", steps, width / 2), net.dtype());
    ValueId step = embeddedVector(net, "time_embedding", waves, 4 * width);
    if (values["pooled-width"] > 0)
        step = add(net, step, pooledVector(net, values, batch, 4 * width));
    const UnetContext context{values, step, text};
    const Convolution first{.channels = width, .kernel = 3, .padding = 1, .bias = HasBias::Yes};
    ValueId x = convolutionLayer(net, "conv_in", images, first);
    std::vector<ValueId> kept{x};
    x = wayDown(net, context, x, kept);
    x = across(net, context, x);
    x = wayUp(net, context, x, kept);
    x = groupNormLayer(net, "conv_norm_out", x, values["norm-groups"], blockEpsilon);
    net.output(convolutionLayer(net, "conv_out", activate(net, x, Activation::Silu),
                                {.channels = channels, .kernel = 3, .padding = 1, .bias = HasBias::Yes}));
}

// ---------------------------------------------------------------- the family
// Of all transformers, which are in each block on the way down and up.
Result<void> checkTransformers(const FormValues& values)
{
    constexpr std::int64_t most = 10000; // as layers of other families
    std::int64_t layers = values["transformers-middle"];
    for (std::int64_t level = 0; level < values["levels"]; ++level)
        layers += ofLevel(values, "transformers", level) * (2 * values["blocks"] + 1);
    if (layers <= most)
        return {};
    return Error{ErrorCode::BadUsage,
                 "--transformers-1 to --transformers-" + std::to_string(values["levels"]) +
                     " and --transformers-middle make " + std::to_string(layers) + " layers with --blocks " +
                     std::to_string(values["blocks"]) + "; there can be " + std::to_string(most)};
}

Result<void> checkUnet(const FormValues& values)
{
    for (std::int64_t level = 0; level < values["levels"]; ++level) {
        const std::string number = "-" + std::to_string(level + 1);
        STAGECRAFT_TRY(divides(values, "norm-groups", ("width" + number).c_str()));
        STAGECRAFT_TRY(divides(values, ("heads" + number).c_str(), ("width" + number).c_str()));
    }
    STAGECRAFT_TRY(checkTransformers(values));
    STAGECRAFT_TRY(dividesBy(values, "width-1", 2, "sines and cosines of the time"));
    const std::int64_t times = std::int64_t{1} << (values["levels"] - 1);
    return dividesBy(values, "image", times,
                     "each of --levels " + std::to_string(values["levels"]) + " but the last halves it");
}

using LevelNumbers = std::array<std::int64_t, 4>;

std::vector<FormParameter> levelParameters(const char* name, const std::string& title,
                                           const LevelNumbers& usual, std::int64_t minimum)
{
    std::vector<FormParameter> parameters;
    for (std::size_t i = 0; i < usual.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        parameters.push_back(
            countParameter(std::string(name) + "-" + number, title + ", level " + number, usual[i], minimum));
    }
    return parameters;
}

std::vector<FormPreset> unetPresets()
{
    return {weightsPreset("sd-1.5", "Stable Diffusion 1.5 U-Net", {}, 859520964),
            weightsPreset("sd-2.1", "Stable Diffusion 2.1 U-Net",
                          {{"image", 96},
                           {"heads-1", 5},
                           {"heads-2", 10},
                           {"heads-3", 20},
                           {"heads-4", 20},
                           {"text-width", 1024},
                           {"linear-projection", 1}},
                          865910724),
            weightsPreset("sdxl", "Stable Diffusion XL U-Net",
                          {{"levels", 3},
                           {"image", 128},
                           {"heads-1", 5},
                           {"heads-2", 10},
                           {"heads-3", 20},
                           {"transformers-1", 0},
                           {"transformers-2", 2},
                           {"transformers-3", 10},
                           {"transformers-middle", 10},
                           {"text-width", 2048},
                           {"pooled-width", 1280},
                           {"linear-projection", 1}},
                          2567463684),
            weightsPreset("sdxl-refiner", "Stable Diffusion XL refiner U-Net",
                          {{"image", 128},
                           {"image-numbers", 5},
                           {"width-1", 384},
                           {"width-2", 768},
                           {"width-3", 1536},
                           {"width-4", 1536},
                           {"heads-1", 6},
                           {"heads-2", 12},
                           {"heads-3", 24},
                           {"heads-4", 24},
                           {"transformers-1", 0},
                           {"transformers-2", 4},
                           {"transformers-3", 4},
                           {"transformers-4", 0},
                           {"transformers-middle", 4},
                           {"text-width", 1280},
                           {"pooled-width", 1280},
                           {"linear-projection", 1}},
                          2259526660)};
}

} // namespace

FormFamily unetFamily()
{
    return {.name = "unet",
            .title = "U-Net of diffusion",
            .group = "Vision",
            .summary = "U-Net of latent diffusion: residual blocks and transformers that read a text",
            .rootClass = unetClass("unets.unet_2d_condition.UNet2DConditionModel"),
            .parameters = joined(
                {{countParameter("levels", "Levels", 4, 2, 4),
                  countParameter("blocks", "Residual blocks of a level", 2, 1, 1000)},
                 levelParameters("width", "Width", {320, 640, 1280, 1280}, 1),
                 levelParameters("heads", "Heads", {8, 8, 8, 8}, 1),
                 levelParameters("transformers", "Transformer layers", {1, 1, 1, 0}, 0),
                 {countParameter("transformers-middle", "Transformer layers in the middle", 1),
                  {"image", "Latent image", "pixels", 2, 1 << 12, 64, {}},
                  countParameter("channels", "Channels of the latent image", 4, 1, 1 << 12),
                  countParameter("text-width", "Width of the text's vectors", 768),
                  countParameter("pooled-width", "Width of the text as a whole (0: not read)", 0, 0),
                  countParameter("image-numbers", "Numbers of the image, beside the text as a whole", 6),
                  countParameter("size-waves", "Waves of each of them", 128, 1, 1 << 12),
                  countParameter("norm-groups", "Groups of a norm", 32),
                  yesNoParameter("linear-projection", "Transformers begin with a linear layer", false),
                  batchParameter(4),
                  {"sequence", "Text", "tokens", 2, 1 << 24, 77, {}},
                  dtypeParameter(UsualType::F32)}}),
            .presets = unetPresets(),
            .check = checkUnet,
            .write = writeUnet};
}

} // namespace stagecraft
