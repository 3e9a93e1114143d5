#include "core/forms/decoder_family.h"

#include <cmath>
#include <functional>
#include <memory>

namespace stagecraft {

namespace {

// ---------------------------------------------------------------- experts
// The most likely experts of each token, their weights normed to 1.
Routing likelyExperts(Network& net, const LibraryNames& names, ValueId x, const ExpertsShape& shape)
{
    const Network::Scope scope = net.enter("gate", names.of("TopKRouter"));
    const ValueId weight = net.parameter("weight", {shape.experts, net.sizes(x)[1]});
    const ValueId chances = softmax(net, toType(net, linear(net, x, weight), DType::F32), -1);
    const TopK best = topk(net, chances, shape.chosen);
    return {divideInPlace(net, best.values, sumOver(net, best.values, -1, true)), best.indices};
}

ValueId mixtureOfExperts(Network& net, const LibraryNames& names, ValueId x, const LayerPlace& place,
                         const ExpertsShape& shape, RouterWeights weights)
{
    const Network::Scope scope = net.enter("mlp", names.of("SparseMoeBlock"));
    const SymInt width = net.sizes(x)[2];
    const ValueId tokens = view(net, x, {product({place.batch, place.time}), width});
    Routing routing = likelyExperts(net, names, tokens, shape);
    if (weights == RouterWeights::OfModelsType)
        routing.weights = toType(net, routing.weights, net.dtype());
    const ValueId made = expertsLayer(net, "experts", names.of("Experts"), tokens, routing, shape);
    return reshape(net, made, {place.batch, place.time, width});
}

// ---------------------------------------------------------------- one model
// What layers of one kind read: those that see everything, or those that see a window.
struct LayerKind
{
    RotaryPositions positions;
    std::optional<std::int64_t> window;
    std::optional<RotaryTables> rotary = {};
    std::optional<ValueId> mask = {};
};

class DecoderWriter
{
public:
    DecoderWriter(const DecoderFamily& family, const FormValues& values);
    void write(Network& net);

private:
    LayerKind& kindOf(std::int64_t layer);
    void prepare(Network& net, const LayerPlace& place);
    ValueId attention(Network& net, ValueId x, const LayerPlace& place);
    ValueId feedForward(Network& net, ValueId x, const LayerPlace& place);

    const DecoderFamily& m_family;
    const FormValues& m_values;
    RotaryAttention m_attention;
    LayerKind m_whole;
    std::optional<LayerKind> m_windowed;
};

DecoderWriter::DecoderWriter(const DecoderFamily& family, const FormValues& values)
    : m_family(family),
      m_values(values),
      m_attention{.shape = {values["heads"], values["key-heads"], values["head-width"]},
                  .bias = family.bias,
                  .headNorms = family.headNorms,
                  .normScale = family.isGemma ? NormScale::OnePlusWeight : NormScale::Weight,
                  .epsilon = epsilonOf(values),
                  .scoreLimit = family.scoreLimit,
                  .normClass = family.names.of("RMSNorm")}
{
    if (values.has("query-scale"))
        m_attention.scale = 1 / std::sqrt(static_cast<double>(values["query-scale"]));
    m_whole.positions = {.width = values["head-width"],
                         .base = static_cast<double>(values["rope-base"]),
                         .factor = static_cast<double>(values.valueOr("rope-factor", 1)),
                         .stretch = family.stretch,
                         .className = family.names.of("RotaryEmbedding")};
    if (!values.has("window"))
        return;
    m_windowed = m_whole;
    m_windowed->window = values["window"];
    if (!values.has("rope-base-window"))
        return;
    m_whole.positions.frequencies = "full_attention_inv_freq";
    m_windowed->positions.frequencies = "sliding_attention_inv_freq";
    m_windowed->positions.base = static_cast<double>(values["rope-base-window"]);
    m_windowed->positions.factor = 1;
}

LayerKind& DecoderWriter::kindOf(std::int64_t layer)
{
    const bool seesAll = !m_windowed || (layer + 1) % m_values["whole-every"] == 0;
    return seesAll ? m_whole : *m_windowed;
}

void DecoderWriter::prepare(Network& net, const LayerPlace& place)
{
    const auto prepareKind = [&](LayerKind& kind) {
        if (kind.window || m_family.scoreLimit)
            kind.mask = causalMask(net, place.time, kind.window);
        if (m_family.scoreLimit)
            kind.mask = additiveMask(net, *kind.mask);
        const bool isShared = kind.window && !m_values.has("rope-base-window");
        kind.rotary = isShared ? m_whole.rotary : rotaryTables(net, "rotary_emb", place.time, kind.positions);
    };
    prepareKind(m_whole);
    if (m_windowed)
        prepareKind(*m_windowed);
}

ValueId DecoderWriter::attention(Network& net, ValueId x, const LayerPlace& place)
{
    const LayerKind& kind = kindOf(place.index);
    return rotaryAttention(net, m_family.names.of("Attention"), m_attention, *kind.rotary, kind.mask, x,
                           place);
}

ValueId DecoderWriter::feedForward(Network& net, ValueId x, const LayerPlace& place)
{
    if (m_values.has("experts")) {
        const ExpertsShape experts{m_values["experts"], m_values["experts-chosen"], m_values["inner"]};
        return mixtureOfExperts(net, m_family.names, x, place, experts, m_family.routerWeights);
    }
    GatedFeedForward inner{.width = m_values["inner"]};
    if (m_family.isGemma) {
        inner.activation = Activation::GeluTanh;
        inner.activationClass = "transformers.activations.GELUTanh";
    }
    return gatedFeedForward(net, "mlp", m_family.names.of("MLP"), x, inner);
}

void DecoderWriter::write(Network& net)
{
    const DecoderShape shape{.names = m_family.names,
                             .vocabulary = m_values["vocabulary"],
                             .width = m_values["width"],
                             .layers = m_values["layers"],
                             .epsilon = epsilonOf(m_values),
                             .normScale = m_attention.normScale,
                             .hasOuterNorms = m_family.isGemma,
                             .isTied = m_values.valueOr("tied", 0) == 1,
                             .scalesEmbeddings = m_family.isGemma,
                             .padding = m_family.isGemma ? std::optional<std::int64_t>(0) : std::nullopt,
                             .logitLimit = m_family.logitLimit,
                             .outerClass = m_family.beside ? m_family.beside->outerClass : ""};
    DecoderParts parts{.prepare = std::bind_front(&DecoderWriter::prepare, this),
                       .attention = std::bind_front(&DecoderWriter::attention, this),
                       .feedForward = std::bind_front(&DecoderWriter::feedForward, this)};
    if (m_family.beside)
        parts.mixed = [this](Network& here, ValueId ids, ValueId words, const LayerPlace& place) {
            return m_family.beside->mixed(here, m_values, ids, words, place);
        };
    writeCausalModel(net, shape, parts, m_values);
}

Result<void> checkDecoder(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "key-heads", "heads"));
    if (values.has("experts")) {
        STAGECRAFT_TRY(enoughExperts(values));
        STAGECRAFT_TRY(wholeRows(values, "width"));
        STAGECRAFT_TRY(wholeRows(values, "inner"));
    }
    return even(values, "head-width");
}

} // namespace

FormFamily formFamily(DecoderFamily family)
{
    const auto shared = std::make_shared<const DecoderFamily>(std::move(family));
    const auto check = [shared](const FormValues& values) -> Result<void> {
        if (shared->beside)
            STAGECRAFT_TRY(shared->beside->check(values));
        return checkDecoder(values);
    };
    return {.name = shared->name,
            .title = shared->title,
            .group = shared->beside ? shared->beside->group : "Language",
            .summary = shared->summary,
            .rootClass = shared->beside ? shared->beside->rootClass : shared->names.of("ForCausalLM"),
            .parameters = joined({shared->parameters, {dtypeParameter(UsualType::BF16)}}),
            .presets = shared->presets,
            .check = check,
            .write = [shared](Network& net, const FormValues& values) {
                DecoderWriter(*shared, values).write(net);
            }};
}

} // namespace stagecraft
