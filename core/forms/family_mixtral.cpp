#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

namespace stagecraft {

namespace {

const LibraryNames names{"transformers.models.mixtral.modeling_mixtral.", "Mixtral"};

// The most likely experts of each token, their weights normed to 1.
Routing route(Network& net, ValueId x, const ExpertsShape& shape)
{
    const Network::Scope scope = net.enter("gate", names.of("TopKRouter"));
    const ValueId weight = net.parameter("weight", {shape.experts, net.sizes(x)[1]});
    const ValueId chances = softmax(net, toType(net, linear(net, x, weight), DType::F32), -1);
    const TopK best = topk(net, chances, shape.chosen);
    return {divideInPlace(net, best.values, sumOver(net, best.values, -1, true)), best.indices};
}

ValueId feedForward(Network& net, ValueId x, const LayerPlace& place, const ExpertsShape& shape)
{
    const Network::Scope scope = net.enter("mlp", names.of("SparseMoeBlock"));
    const SymInt width = net.sizes(x)[2];
    const ValueId tokens = view(net, x, {product({place.batch, place.time}), width});
    const Routing routing = route(net, tokens, shape);
    const ValueId made = expertsLayer(net, "experts", names.of("Experts"), tokens, routing, shape);
    return reshape(net, made, {place.batch, place.time, width});
}

void write(Network& net, const FormValues& values)
{
    const DecoderShape shape{.names = names,
                             .vocabulary = values["vocabulary"],
                             .width = values["width"],
                             .layers = values["layers"],
                             .epsilon = epsilonOf(values)};
    const RotaryPositions positions{.width = values["head-width"],
                                    .base = static_cast<double>(values["rope-base"]),
                                    .className = names.of("RotaryEmbedding")};
    const RotaryAttention attention{.shape = {values["heads"], values["key-heads"], values["head-width"]}};
    const ExpertsShape experts{values["experts"], values["experts-chosen"], values["inner"]};
    std::optional<RotaryTables> rotary;
    const DecoderParts parts{
        .prepare =
            [&](Network& here, const LayerPlace& place) {
                rotary = rotaryTables(here, "rotary_emb", place.time, positions);
            },
        .attention =
            [&](Network& here, ValueId x, const LayerPlace& place) {
                return rotaryAttention(here, names.of("Attention"), attention, *rotary, {}, x, place);
            },
        .feedForward = [&](Network& here, ValueId x,
                           const LayerPlace& place) { return feedForward(here, x, place, experts); }};
    writeCausalModel(net, shape, parts, values);
}

Result<void> check(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "key-heads", "heads"));
    STAGECRAFT_TRY(enoughExperts(values));
    return evenHeadWidth(values);
}

} // namespace

FormFamily mixtralFamily()
{
    const std::string source = "tensors of the published weights";
    return {.name = "mixtral",
            .title = "Mixtral",
            .summary = "Mixtral: as Llama, with experts in the place of the feed-forward",
            .rootClass = names.of("ForCausalLM"),
            .parameters =
                joined({decoderParameters({.width = 4096,
                                           .layers = 32,
                                           .heads = 32,
                                           .keyHeads = 8,
                                           .headWidth = 128,
                                           .inner = 14336,
                                           .vocabulary = 32000}),
                        {countParameter("experts", "Experts", 8, 1, 4096),
                         countParameter("experts-chosen", "Experts of a token", 2, 1, 4096),
                         countParameter("rope-base", "Base of rotary positions", 1000000, 1, 1 << 30),
                         epsilonParameter(5)},
                        sequenceParameters(1, 4096),
                        {dtypeParameter(UsualType::BF16)}}),
            .presets =
                {{"mixtral-8x7b", "Mixtral 8x7B", {}, 46702792704, source},
                 {"mixtral-8x22b",
                  "Mixtral 8x22B",
                  {{"width", 6144}, {"layers", 56}, {"heads", 48}, {"inner", 16384}, {"vocabulary", 32768}},
                  140630071296,
                  source}},
            .check = check,
            .write = write};
}

} // namespace stagecraft
