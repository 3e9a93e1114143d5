#include "core/forms/convolutions.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

#include <cmath>

#include <array>

namespace stagecraft {

namespace {

constexpr const char* vitModule = "transformers.models.vit.modeling_vit.ViT";

std::string vitClassOf(const char* name)
{
    return std::string(vitModule) + name;
}

// Patches as tokens, [batch, patches + 1, width], the first of which becomes the class.
ValueId vitEmbeddings(Network& net, const FormValues& values, ValueId images)
{
    const Network::Scope scope = net.enter("embeddings", vitClassOf("Embeddings"));
    const std::int64_t width = values["width"];
    const SymInt batch = net.sizes(images)[0];
    const ValueId patches = [&] {
        const Network::Scope inner = net.enter("patch_embeddings", vitClassOf("PatchEmbeddings"));
        const ValueId made = convolutionLayer(
            net, "projection", images,
            {.channels = width, .kernel = values["patch"], .stride = values["patch"], .bias = HasBias::Yes});
        return transpose(net, flatten(net, made, 2), 1, 2);
    }();
    const SymInt places = sum(net.sizes(patches)[1], 1);
    const ValueId first = expand(net, net.parameter("cls_token", {1, 1, width}), {batch, 1, width});
    const ValueId tokens = cat(net, {first, patches}, 1);
    const ValueId placed = add(net, tokens, net.parameter("position_embeddings", {1, places, width}));
    return dropoutLayer(net, "dropout", placed, values["dropout"]);
}

ValueId vitAttention(Network& net, const FormValues& values, ValueId x)
{
    const Network::Scope scope = net.enter("attention", vitClassOf("Attention"));
    const std::int64_t width = values["width"];
    const std::int64_t headWidth = width / values["heads"];
    const Sizes sizes = net.sizes(x);
    const auto heads = [&](const char* path) {
        const ValueId made = linearLayer(net, path, x, width, HasBias::Yes);
        return transpose(net, view(net, made, {sizes[0], sizes[1], values["heads"], headWidth}), 1, 2);
    };
    const ValueId query = heads("q_proj");
    const ValueId key = heads("k_proj");
    const ValueId value = heads("v_proj");
    const ValueId attended = scaledDotProductAttention(
        net, query, key, value, {.scale = 1 / std::sqrt(static_cast<double>(headWidth))});
    const ValueId rows = contiguous(net, transpose(net, attended, 1, 2));
    return linearLayer(net, "o_proj", reshape(net, rows, sizes), width, HasBias::Yes);
}

ValueId vitLayer(Network& net, const FormValues& values, ValueId x, std::int64_t index)
{
    const Network::Scope scope = net.enter("layers." + std::to_string(index), vitClassOf("Layer"));
    const double epsilon = epsilonOf(values);
    const ValueId attended = vitAttention(net, values, layerNormLayer(net, "layernorm_before", x, epsilon));
    x = add(net, dropoutLayer(net, "dropout", attended, values["dropout"]), x);
    const ValueId normed = layerNormLayer(net, "layernorm_after", x, epsilon);
    const ValueId fed = [&] {
        const Network::Scope inner = net.enter("mlp", vitClassOf("MLP"));
        const ValueId wide = linearLayer(net, "fc1", normed, values["inner"], HasBias::Yes);
        return linearLayer(net, "fc2", activate(net, wide, Activation::Gelu), values["width"], HasBias::Yes);
    }();
    return add(net, dropoutLayer(net, "dropout", fed, values["dropout"]), x);
}

void writeVit(Network& net, const FormValues& values)
{
    const SymInt batch = net.symbol("batch", values["batch"], 1, std::int64_t{1} << 24);
    const ValueId images =
        net.input("pixel_values", {batch, 3, values["image"], values["image"]}, net.dtype());
    const ValueId states = [&] {
        const Network::Scope scope = net.enter("vit", vitClassOf("Model"));
        ValueId x = vitEmbeddings(net, values, images);
        for (std::int64_t i = 0; i < values["layers"]; ++i)
            x = vitLayer(net, values, x, i);
        return layerNormLayer(net, "layernorm", x, epsilonOf(values));
    }();
    net.output(linearLayer(net, "classifier", select(net, states, 1, 0), values["classes"], HasBias::Yes));
}

Result<void> checkVit(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "heads", "width"));
    return divides(values, "patch", "image");
}

FormPreset vitPreset(const std::string& name, const std::string& title, std::int64_t patch,
                     const std::array<std::int64_t, 4>& sizes, std::int64_t parameters)
{
    return {name,
            title,
            {{"patch", patch},
             {"layers", sizes[0]},
             {"width", sizes[1]},
             {"heads", sizes[2]},
             {"inner", sizes[3]}},
            parameters,
            "documentation of torchvision, whose model of that name has as many"};
}

} // namespace

FormFamily vitFamily()
{
    return {.name = "vit",
            .title = "ViT",
            .group = "Vision",
            .summary = "Vision transformer: patches of an image as tokens, norms before",
            .rootClass = vitClassOf("ForImageClassification"),
            .parameters = {countParameter("layers", "Layers", 12, 1, 10000),
                           countParameter("width", "Width", 768),
                           countParameter("heads", "Heads", 12, 1, 10000),
                           countParameter("inner", "Width of feed-forward", 3072),
                           {"image", "Image", "pixels", 1, 1 << 14, 224, {}},
                           {"patch", "Patch", "pixels", 1, 1 << 14, 16, {}},
                           countParameter("classes", "Classes", 1000),
                           dropoutParameter(0),
                           epsilonParameter(12),
                           batchParameter(64),
                           dtypeParameter(UsualType::F32)},
            .presets = {vitPreset("vit-b-16", "ViT-B/16", 16, {12, 768, 12, 3072}, 86567656),
                        vitPreset("vit-b-32", "ViT-B/32", 32, {12, 768, 12, 3072}, 88224232),
                        vitPreset("vit-l-16", "ViT-L/16", 16, {24, 1024, 16, 4096}, 304326632),
                        vitPreset("vit-h-14", "ViT-H/14", 14, {32, 1280, 16, 5120}, 632045800)},
            .check = checkVit,
            .write = writeVit};
}

} // namespace stagecraft
