#include "core/forms/clip_towers.h"
#include "core/forms/decoder_family.h"
#include "core/forms/families.h"
#include "core/forms/tensor_shapes.h"

namespace stagecraft {

namespace {

const LibraryNames llavaNames{"transformers.models.llava.modeling_llava.", "Llava"};

constexpr double towerEpsilon = 1e-5;

std::int64_t patchesOf(const FormValues& values)
{
    const std::int64_t side = values["image"] / values["patch"];
    return side * side;
}

// Patches as CLIP's tower has them before its last layer, which runs all the same.
ValueId imageFeatures(Network& net, const FormValues& values, ValueId images)
{
    const Network::Scope scope = net.enter("vision_tower", clipNames.of("VisionModel"));
    const ImageTower tower{.shape = towerShape(values, "image-", towerEpsilon), .patch = values["patch"]};
    const std::vector<ValueId> states = imageStates(net, tower, images);
    layerNormLayer(net, "post_layernorm", select(net, states.back(), 1, 0), towerEpsilon);
    return states[states.size() - 2];
}

// Patches as words: without the class, as wide as the language model.
ValueId projected(Network& net, const FormValues& values, ValueId features)
{
    const ValueId patches = slice(net, features, 1, 1, sum(patchesOf(values), 1));
    const Network::Scope scope = net.enter("multi_modal_projector", llavaNames.of("MultiModalProjector"));
    const ValueId wide = linearLayer(net, "linear_1", patches, values["width"], HasBias::Yes);
    const ValueId active =
        activationLayer(net, "act", "transformers.activations.GELUActivation", wide, Activation::Gelu);
    return linearLayer(net, "linear_2", active, values["width"], HasBias::Yes);
}

// Patches in the place of those words that stand for them.
ValueId withImages(Network& net, const FormValues& values, ValueId ids, ValueId words,
                   const LayerPlace& place)
{
    const Sizes sizes{place.batch, 3, values["image"], values["image"]};
    const ValueId images = net.input("pixel_values", sizes, net.dtype());
    const ValueId patches = projected(net, values, imageFeatures(net, values, images));
    const ValueId isPatch = net.op("eq.Scalar", {{"self", ids}, {"other", values["image-token"]}},
                                   contiguousMeta(DType::Bool, net.sizes(ids)));
    const ValueId everywhere = expand(net, unsqueeze(net, isPatch, -1), net.sizes(words));
    return net.op("masked_scatter", {{"self", words}, {"mask", everywhere}, {"source", patches}},
                  contiguousMeta(net.dtype(), net.sizes(words)));
}

Result<void> checkLlava(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "image-heads", "image-width"));
    STAGECRAFT_TRY(divides(values, "patch", "image"));
    if (values["image-token"] >= values["vocabulary"])
        return Error{ErrorCode::BadUsage, "--image-token " + std::to_string(values["image-token"]) +
                                              " is not in the --vocabulary " +
                                              std::to_string(values["vocabulary"])};
    if (values["sequence"] < patchesOf(values))
        return Error{ErrorCode::BadUsage, "--sequence " + std::to_string(values["sequence"]) +
                                              " has no room for the " + std::to_string(patchesOf(values)) +
                                              " patches of an image"};
    return {};
}

} // namespace

FormFamily llavaFamily()
{
    return formFamily(
        {.name = "llava",
         .title = "LLaVA",
         .summary = "LLaVA 1.5: patches of an image out of CLIP's tower, projected to words of a Llama",
         .names = {"transformers.models.llama.modeling_llama.", "Llama"},
         .parameters =
             joined({decoderParameters({.width = 4096,
                                        .layers = 32,
                                        .heads = 32,
                                        .keyHeads = 32,
                                        .headWidth = 128,
                                        .inner = 11008,
                                        .vocabulary = 32064}),
                     {rotaryBaseParameter(10000),
                      epsilonParameter(5),
                      countParameter("image-layers", "Layers for images", 24, 1, 10000),
                      countParameter("image-width", "Width for images", 1024),
                      countParameter("image-heads", "Heads for images", 16, 1, 10000),
                      countParameter("image-inner", "Width of feed-forward for images", 4096),
                      {"image", "Image", "pixels", 1, 1 << 14, 336, {}},
                      {"patch", "Patch", "pixels", 1, 1 << 14, 14, {}},
                      countParameter("image-token", "Token that stands for a patch", 32000, 0, 1 << 24)},
                     sequenceParameters(1, 1024)}),
         .presets =
             {weightsPreset("llava-1.5-7b", "LLaVA 1.5 7B", {}, 7063427072),
              weightsPreset(
                  "llava-1.5-13b", "LLaVA 1.5 13B",
                  {{"width", 5120}, {"layers", 40}, {"heads", 40}, {"key-heads", 40}, {"inner", 13824}},
                  13351494656)},
         .beside = ReadBeside{.group = "Vision and language",
                              .outerClass = llavaNames.of("Model"),
                              .rootClass = llavaNames.of("ForConditionalGeneration"),
                              .check = checkLlava,
                              .mixed = withImages}});
}

} // namespace stagecraft
