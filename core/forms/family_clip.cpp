#include "core/forms/clip_towers.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"
#include "core/forms/tensor_shapes.h"

namespace stagecraft {

namespace {

// One vector an image, [batch, width].
ValueId imageVectors(Network& net, const FormValues& values, ValueId images)
{
    const Network::Scope scope = net.enter("vision_model", clipNames.of("VisionModel"));
    const ImageTower tower{.shape = towerShape(values, "", epsilonOf(values)), .patch = values["patch"]};
    const ValueId states = imageStates(net, tower, images).back();
    return layerNormLayer(net, "post_layernorm", select(net, states, 1, 0), epsilonOf(values));
}

// One vector a text: that of its first token that ends it, which is the last of the vocabulary.
ValueId textVectors(Network& net, const FormValues& values, ValueId ids, const LayerPlace& place)
{
    const Network::Scope scope = net.enter("text_model", clipNames.of("TextModel"));
    const TextTower tower{.shape = towerShape(values, "text-", epsilonOf(values)),
                          .vocabulary = values["vocabulary"],
                          .positions = values["positions"]};
    const ValueId states =
        layerNormLayer(net, "final_layer_norm", textStates(net, tower, ids, place), epsilonOf(values));
    const ValueId rows = arange(net, place.batch);
    const ValueId narrow = toType(net, ids, DType::I32);
    const ValueId isEnd = net.op("eq.Scalar", {{"self", narrow}, {"other", values["vocabulary"] - 1}},
                                 contiguousMeta(DType::Bool, net.sizes(ids)));
    const ValueId ends =
        net.op("argmax", {{"self", toType(net, isEnd, DType::I32)}, {"dim", std::int64_t{-1}}},
               contiguousMeta(DType::I64, {place.batch}));
    return net.op("index.Tensor", {{"self", states}, {"indices", TensorListArgument{{rows, ends}}}},
                  contiguousMeta(net.dtype(), {place.batch, values["text-width"]}));
}

ValueId ofLengthOne(Network& net, ValueId x)
{
    const ValueId squares = sumOver(net, power(net, x, std::int64_t{2}), -1, true);
    return divide(net, x, power(net, squares, 0.5));
}

ValueId crossEntropy(Network& net, ValueId logits, const SymInt& batch)
{
    return net.op("cross_entropy_loss", {{"self", logits}, {"target", arange(net, batch)}},
                  contiguousMeta(net.dtype(), {}));
}

// Each text's own image is to be the likeliest of the batch, and each image's own text.
ValueId contrastiveLoss(Network& net, ValueId texts, ValueId images, const SymInt& batch)
{
    const auto turnedOver = [&](ValueId x) {
        return net.op("t", {{"self", x}}, transposeMeta(net.meta(x), 0, 1));
    };
    const ValueId products = matmul(net, texts, turnedOver(images));
    const ValueId scale =
        unary(net, "exp", net.parameter("logit_scale", {}, InitialValues::constant(2.6592)));
    const ValueId logits = mul(net, products, scale);
    const ValueId ofTexts = crossEntropy(net, logits, batch);
    const ValueId ofImages = crossEntropy(net, turnedOver(logits), batch);
    return divideByNumber(net, add(net, ofTexts, ofImages), 2.0);
}

void writeClip(Network& net, const FormValues& values)
{
    const LayerPlace place = sequenceSymbols(net, values, values["positions"]);
    const ValueId ids = net.input("input_ids", {place.batch, place.time}, DType::I64);
    const ValueId images =
        net.input("pixel_values", {place.batch, 3, values["image"], values["image"]}, net.dtype());
    const ValueId seen =
        linearLayer(net, "visual_projection", imageVectors(net, values, images), values["projection"]);
    const ValueId read =
        linearLayer(net, "text_projection", textVectors(net, values, ids, place), values["projection"]);
    const ValueId imagePoints = ofLengthOne(net, seen);
    net.output(contrastiveLoss(net, ofLengthOne(net, read), imagePoints, place.batch));
}

Result<void> checkClip(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "heads", "width"));
    STAGECRAFT_TRY(divides(values, "text-heads", "text-width"));
    STAGECRAFT_TRY(divides(values, "patch", "image"));
    return withinPositions(values);
}

std::vector<FormPreset> clipPresets()
{
    const std::vector<std::pair<std::string, std::int64_t>> large{
        {"patch", 14},       {"layers", 24},     {"width", 1024},      {"heads", 16},      {"inner", 4096},
        {"text-width", 768}, {"text-heads", 12}, {"text-inner", 3072}, {"projection", 768}};
    auto larger = large;
    larger.emplace_back("image", 336);
    return {weightsPreset("clip-b-32", "CLIP ViT-B/32", {}, 151277313),
            weightsPreset("clip-b-16", "CLIP ViT-B/16", {{"patch", 16}}, 149620737),
            weightsPreset("clip-l-14", "CLIP ViT-L/14", large, 427616513),
            weightsPreset("clip-l-14-336", "CLIP ViT-L/14, 336 pixels", larger, 427944193)};
}

} // namespace

FormFamily clipFamily()
{
    return {.name = "clip",
            .title = "CLIP",
            .group = "Vision and language",
            .summary = "CLIP: a tower for images and one for texts, and the contrastive loss of a batch",
            .rootClass = clipNames.of("Model"),
            .parameters = joined({{countParameter("layers", "Layers for images", 12, 1, 10000),
                                   countParameter("width", "Width for images", 768),
                                   countParameter("heads", "Heads for images", 12, 1, 10000),
                                   countParameter("inner", "Width of feed-forward for images", 3072),
                                   {"image", "Image", "pixels", 1, 1 << 14, 224, {}},
                                   {"patch", "Patch", "pixels", 1, 1 << 14, 32, {}},
                                   countParameter("text-layers", "Layers for texts", 12, 1, 10000),
                                   countParameter("text-width", "Width for texts", 512),
                                   countParameter("text-heads", "Heads for texts", 8, 1, 10000),
                                   countParameter("text-inner", "Width of feed-forward for texts", 2048),
                                   vocabularyParameter(49408),
                                   countParameter("positions", "Positions of texts", 77),
                                   countParameter("projection", "Width of what both become", 512),
                                   epsilonParameter(5)},
                                  sequenceParameters(64, 77),
                                  {dtypeParameter(UsualType::F32)}}),
            .presets = clipPresets(),
            .check = checkClip,
            .write = writeClip};
}

} // namespace stagecraft
