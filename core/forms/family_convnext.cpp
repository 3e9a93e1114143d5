#include "core/forms/convolutions.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

namespace stagecraft {

namespace {

const LibraryNames convnextNames{"transformers.models.convnext.modeling_convnext.", "ConvNext"};

constexpr double channelEpsilon = 1e-6;

// A layer norm over the channels of [batch, channels, height, width].
ValueId channelNorm(Network& net, const std::string& path, ValueId x)
{
    const Network::Scope scope = net.enter(path, convnextNames.of("LayerNorm"));
    const ValueId last = permute(net, x, {0, 2, 3, 1});
    return permute(net, layerNormHere(net, last, channelEpsilon), {0, 3, 1, 2});
}

// A depthwise convolution, then a feed-forward of each pixel, what it gives scaled by channel.
ValueId convnextLayer(Network& net, const std::string& path, ValueId x)
{
    const Network::Scope scope = net.enter(path, convnextNames.of("Layer"));
    const std::int64_t width = net.sizes(x)[1].constant();
    const ValueId near = convolutionLayer(
        net, "dwconv", x,
        {.channels = width, .kernel = 7, .padding = 3, .groups = width, .bias = HasBias::Yes});
    const ValueId pixels = permute(net, near, {0, 2, 3, 1});
    const ValueId normed = [&] {
        const Network::Scope inner = net.enter("layernorm", convnextNames.of("LayerNorm"));
        return layerNormHere(net, pixels, channelEpsilon);
    }();
    const ValueId wide = linearLayer(net, "pwconv1", normed, 4 * width, HasBias::Yes);
    const ValueId active =
        activationLayer(net, "act", "transformers.activations.GELUActivation", wide, Activation::Gelu);
    const ValueId narrow = linearLayer(net, "pwconv2", active, width, HasBias::Yes);
    const ValueId scale = net.parameter("layer_scale_parameter", {width}, InitialValues::constant(1e-6));
    return add(net, x, permute(net, mul(net, scale, narrow), {0, 3, 1, 2}));
}

ValueId convnextStage(Network& net, const FormValues& values, std::int64_t index, ValueId x)
{
    const std::string number = std::to_string(index + 1);
    const Network::Scope scope =
        net.enter("encoder.stages." + std::to_string(index), convnextNames.of("Stage"));
    if (index > 0) {
        x = channelNorm(net, "downsampling_layer.0", x);
        x = convolutionLayer(
            net, "downsampling_layer.1", x,
            {.channels = values["width-" + number], .kernel = 2, .stride = 2, .bias = HasBias::Yes});
    }
    for (std::int64_t i = 0; i < values["blocks-" + number]; ++i)
        x = convnextLayer(net, "layers." + std::to_string(i), x);
    return x;
}

void writeConvnext(Network& net, const FormValues& values)
{
    const SymInt batch = net.symbol("batch", values["batch"], 1, std::int64_t{1} << 24);
    const ValueId images =
        net.input("pixel_values", {batch, 3, values["image"], values["image"]}, net.dtype());
    const ValueId states = [&] {
        const Network::Scope scope = net.enter("convnext", convnextNames.of("Model"));
        ValueId x = [&] {
            const Network::Scope inner = net.enter("embeddings", convnextNames.of("Embeddings"));
            const ValueId patches = convolutionLayer(net, "patch_embeddings", images,
                                                     {.channels = values["width-1"],
                                                      .kernel = values["stem"],
                                                      .stride = values["stem"],
                                                      .bias = HasBias::Yes});
            return channelNorm(net, "layernorm", patches);
        }();
        for (std::int64_t stage = 0; stage < 4; ++stage)
            x = convnextStage(net, values, stage, x);
        return layerNormLayer(net, "layernorm", mean(net, x, {-2, -1}, false), epsilonOf(values));
    }();
    net.output(linearLayer(net, "classifier", states, values["classes"], HasBias::Yes));
}

// Three stages halve what the stem leaves.
Result<void> checkConvnext(const FormValues& values)
{
    if (values["image"] >= 8 * values["stem"])
        return {};
    return Error{ErrorCode::BadUsage, "--image " + std::to_string(values["image"]) +
                                          " leaves the last stage no pixel; with --stem " +
                                          std::to_string(values["stem"]) + " take " +
                                          std::to_string(8 * values["stem"]) + " or more"};
}

FormPreset convnextPreset(const std::string& name, const std::string& title, std::int64_t thirdBlocks,
                          std::int64_t width, std::int64_t parameters)
{
    return {name,
            title,
            {{"blocks-3", thirdBlocks},
             {"width-1", width},
             {"width-2", 2 * width},
             {"width-3", 4 * width},
             {"width-4", 8 * width}},
            parameters,
            "documentation of torchvision, whose model of that name has as many"};
}

} // namespace

FormFamily convnextFamily()
{
    return {.name = "convnext",
            .title = "ConvNeXt",
            .group = "Vision",
            .summary = "ConvNeXt: depthwise convolutions of 7 x 7 and a feed-forward of each pixel",
            .rootClass = convnextNames.of("ForImageClassification"),
            .parameters = {countParameter("blocks-1", "Blocks of stage 1", 3, 1, 1000),
                           countParameter("blocks-2", "Blocks of stage 2", 3, 1, 1000),
                           countParameter("blocks-3", "Blocks of stage 3", 9, 1, 1000),
                           countParameter("blocks-4", "Blocks of stage 4", 3, 1, 1000),
                           countParameter("width-1", "Channels of stage 1", 96, 1, 1 << 16),
                           countParameter("width-2", "Channels of stage 2", 192, 1, 1 << 16),
                           countParameter("width-3", "Channels of stage 3", 384, 1, 1 << 16),
                           countParameter("width-4", "Channels of stage 4", 768, 1, 1 << 16),
                           {"stem", "Patch", "pixels", 1, 1 << 10, 4, {}},
                           {"image", "Image", "pixels", 8, 1 << 14, 224, {}},
                           countParameter("classes", "Classes", 1000),
                           epsilonParameter(12),
                           batchParameter(64),
                           dtypeParameter(UsualType::F32)},
            .presets = {convnextPreset("convnext-t", "ConvNeXt-T", 9, 96, 28589128),
                        convnextPreset("convnext-s", "ConvNeXt-S", 27, 96, 50223688),
                        convnextPreset("convnext-b", "ConvNeXt-B", 27, 128, 88591464),
                        convnextPreset("convnext-l", "ConvNeXt-L", 27, 192, 197767336)},
            .check = checkConvnext,
            .write = writeConvnext};
}

} // namespace stagecraft
