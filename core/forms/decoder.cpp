#include "core/forms/decoder.h"

#include <cmath>
#include <limits>

namespace stagecraft {

namespace {

ValueId norm(Network& net, const DecoderShape& shape, const std::string& path, ValueId x)
{
    return rmsNormLayer(net, path, shape.names.of("RMSNorm"), x, shape.epsilon, shape.normScale);
}

std::string layerPath(const LayerPlace& place)
{
    return "layers." + std::to_string(place.index);
}

// In the module of the layer.
ValueId decoderLayer(Network& net, const DecoderShape& shape, const DecoderParts& parts, ValueId x,
                     const LayerPlace& place)
{
    ValueId attended = parts.attention(net, norm(net, shape, "input_layernorm", x), place);
    if (!shape.hasOuterNorms) {
        x = add(net, x, attended);
        const ValueId fed = parts.feedForward(net, norm(net, shape, "post_attention_layernorm", x), place);
        return add(net, x, fed);
    }
    attended = norm(net, shape, "post_attention_layernorm", attended);
    x = add(net, x, attended);
    const ValueId fed = parts.feedForward(net, norm(net, shape, "pre_feedforward_layernorm", x), place);
    return add(net, x, norm(net, shape, "post_feedforward_layernorm", fed));
}

// [batch, time, heads x width] as [batch, heads, time, width], normed where there is a path of a norm.
ValueId headsOf(Network& net, ValueId x, const LayerPlace& place, const RotaryAttention& attention,
                const std::string& normPath)
{
    const std::int64_t width = attention.shape.headWidth;
    const std::int64_t heads = net.sizes(x)[2].constant() / width;
    const auto normed = [&](ValueId of, HeadNorms when) {
        if (normPath.empty() || attention.headNorms != when)
            return of;
        return rmsNormLayer(net, normPath, attention.normClass, of, attention.epsilon, attention.normScale);
    };
    const ValueId split = view(net, x, {place.batch, place.time, heads, width});
    const ValueId turnedOver = transpose(net, normed(split, HeadNorms::BeforeTranspose), 1, 2);
    return normed(turnedOver, HeadNorms::AfterTranspose);
}

// Each head of keys or values for all heads of its group.
ValueId repeated(Network& net, ValueId x, const LayerPlace& place, std::int64_t times)
{
    if (times == 1)
        return x;
    const SymInt heads = net.sizes(x)[1];
    const SymInt width = net.sizes(x)[3];
    const ValueId wide = expand(net, unsqueeze(net, x, 2), {place.batch, heads, times, place.time, width});
    return reshape(net, wide, {place.batch, product({heads, times}), place.time, width});
}

// Within `limit`, by tanh.
ValueId limited(Network& net, ValueId x, double limit)
{
    return mulNumber(net, unary(net, "tanh", divideByNumber(net, x, limit)), limit);
}

ValueId scaledByRoot(Network& net, ValueId embedded, std::int64_t width)
{
    const Network::Scope scope = net.enter("embed_tokens", "torch.nn.modules.sparse.Embedding");
    const InitialValues root = InitialValues::constant(std::sqrt(static_cast<double>(width)));
    return mul(net, embedded, net.buffer("embed_scale", {}, root, net.dtype(), false));
}

// Attention operator by operator, its scores within `limit`.
ValueId limitedAttention(Network& net, ValueId query, ValueId key, ValueId value, const AttentionCall& call,
                         double limit)
{
    const ValueId products = matmul(net, query, transpose(net, key, 2, 3));
    const ValueId scores = limited(net, mulNumber(net, products, *call.scale), limit);
    const ValueId masked = add(net, scores, *call.mask);
    const ValueId shares = softmax(net, toType(net, masked, DType::F32), -1);
    return matmul(net, toType(net, shares, net.dtype()), value);
}

// Words as vectors, and the table of them. In the module of the decoder.
DecoderStates embeddedWords(Network& net, const DecoderShape& shape, ValueId ids)
{
    const ValueId embedded =
        embeddingLayer(net, "embed_tokens", ids, shape.vocabulary, shape.width, shape.padding);
    return {embedded, net.parameter("embed_tokens.weight", {shape.vocabulary, shape.width})};
}

// All layers and the last norm, of vectors.
DecoderStates decoded(Network& net, const DecoderShape& shape, const DecoderParts& parts,
                      const DecoderStates& words, const LayerPlace& place)
{
    parts.prepare(net, place);
    ValueId x = shape.scalesEmbeddings ? scaledByRoot(net, words.hidden, shape.width) : words.hidden;
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        LayerPlace here = place;
        here.index = i;
        const Network::Scope scope = net.enter(layerPath(here), shape.names.of("DecoderLayer"));
        x = decoderLayer(net, shape, parts, x, here);
    }
    return {norm(net, shape, "norm", x), words.embeddings};
}

// ---------------------------------------------------------------- further tokens
struct ReadAhead
{
    ValueId ids;
    DecoderStates states;
};

// What a further token is predicted from: what was made of the tokens before, and the word that is ahead.
ValueId joinedAhead(Network& net, const DecoderShape& shape, const ReadAhead& read, ValueId ids,
                    const LayerPlace& place)
{
    const ValueId word = [&] {
        const Network::Scope scope = net.enter("embed_tokens", "torch.nn.modules.sparse.Embedding");
        net.alias("weight", read.states.embeddings);
        return embedding(net, read.states.embeddings, ids, shape.padding);
    }();
    const ValueId before = slice(net, read.states.hidden, 1, 0, place.time);
    const ValueId both = cat(net, {norm(net, shape, "enorm", word), norm(net, shape, "hnorm", before)}, -1);
    return linearLayer(net, "eh_proj", both, shape.width);
}

ValueId sharedHead(Network& net, const DecoderShape& shape, ValueId weight, ValueId x)
{
    const Network::Scope scope = net.enter("shared_head", "torch.nn.modules.module.Module");
    const ValueId normed = norm(net, shape, "norm", x);
    const Network::Scope head = net.enter("head", "torch.nn.modules.linear.Linear");
    net.alias("weight", weight);
    return linear(net, normed, weight);
}

// Each module reads what the one before made, the first what the model makes behind its last norm, and is one
// more layer. Named and joined as in the published weights; transformers leaves them out.
void writeFurtherTokens(Network& net, const DecoderShape& shape, const DecoderParts& parts, ReadAhead read,
                        const LayerPlace& place)
{
    const ValueId weight = shape.isTied ? read.states.embeddings : net.known("lm_head.weight");
    const Network::Scope model = net.enter("model", shape.names.of("Model"));
    for (std::int64_t ahead = 1; ahead <= shape.furtherTokens; ++ahead) {
        const LayerPlace here{shape.layers + ahead - 1, place.batch, sum(place.time, -ahead)};
        const Network::Scope scope = net.enter(layerPath(here), shape.names.of("DecoderLayer"));
        const ValueId ids = slice(net, read.ids, 1, ahead, place.time);
        net.readSizes(ids);
        const ValueId both = joinedAhead(net, shape, read, ids, here);
        read.states.hidden = decoderLayer(net, shape, parts, both, here);
        net.output(sharedHead(net, shape, weight, read.states.hidden));
    }
}

// ---------------------------------------------------------------- masks
ValueId compared(Network& net, const char* name, ValueId a, ValueId b, const SymInt& time)
{
    return net.op(name, {{"self", a}, {"other", b}}, contiguousMeta(DType::Bool, {time, time}));
}

} // namespace

LayerPlace sequenceSymbols(Network& net, const FormValues& values, std::int64_t longest,
                           std::int64_t shortest)
{
    LayerPlace place;
    place.batch = net.symbol("batch", values["batch"], 1, mostTokens);
    place.time = net.symbol("sequence", values["sequence"], shortest, longest);
    return place;
}

DecoderStates writeDecoder(Network& net, const DecoderShape& shape, const DecoderParts& parts, ValueId ids,
                           const LayerPlace& place)
{
    if (shape.outerClass.empty()) {
        const Network::Scope scope = net.enter("model", shape.names.of("Model"));
        return decoded(net, shape, parts, embeddedWords(net, shape, ids), place);
    }
    const Network::Scope outer = net.enter("model", shape.outerClass);
    const auto enterDecoder = [&] { return net.enter("language_model", shape.names.of("Model")); };
    DecoderStates words = [&] {
        const Network::Scope scope = enterDecoder();
        return embeddedWords(net, shape, ids);
    }();
    words.hidden = parts.mixed(net, ids, words.hidden, place);
    const Network::Scope scope = enterDecoder();
    return decoded(net, shape, parts, words, place);
}

void writeCausalModel(Network& net, const DecoderShape& shape, const DecoderParts& parts,
                      const FormValues& values)
{
    const LayerPlace place = sequenceSymbols(net, values, mostTokens, 1 + shape.furtherTokens);
    const ValueId ids = net.input("input_ids", {place.batch, place.time}, DType::I64);
    const DecoderStates states = writeDecoder(net, shape, parts, ids, place);
    ValueId logits = states.hidden;
    if (shape.isTied) {
        const Network::Scope scope = net.enter("lm_head", "torch.nn.modules.linear.Linear");
        net.alias("weight", states.embeddings);
        logits = linear(net, states.hidden, states.embeddings);
    } else {
        logits = linearLayer(net, "lm_head", states.hidden, shape.vocabulary);
    }
    if (shape.logitLimit)
        logits = limited(net, logits, *shape.logitLimit);
    net.output(logits);
    writeFurtherTokens(net, shape, parts, {ids, states}, place);
}

ValueId rotaryAttention(Network& net, const std::string& className, const RotaryAttention& attention,
                        const RotaryTables& rotary, std::optional<ValueId> mask, ValueId x,
                        const LayerPlace& place)
{
    const Network::Scope scope = net.enter("self_attn", className);
    const AttentionShape& shape = attention.shape;
    const std::int64_t width = net.sizes(x)[2].constant();
    const auto projected = [&](const char* path, std::int64_t heads, const std::string& normPath) {
        const ValueId made = linearLayer(net, path, x, heads * shape.headWidth, attention.bias);
        return headsOf(net, made, place, attention, normPath);
    };
    const ValueId query = projected("q_proj", shape.heads, "q_norm");
    const ValueId key = projected("k_proj", shape.keyHeads, "k_norm");
    ValueId value = projected("v_proj", shape.keyHeads, "");
    const ValueId cosines = unsqueeze(net, rotary.cosines, 1);
    const ValueId sines = unsqueeze(net, rotary.sines, 1);
    const ValueId turnedQuery = turned(net, query, cosines, sines);
    ValueId turnedKey = turned(net, key, cosines, sines);
    const std::int64_t groups = shape.heads / shape.keyHeads;
    if (mask) {
        turnedKey = repeated(net, turnedKey, place, groups);
        value = repeated(net, value, place, groups);
    }
    const double scale = attention.scale.value_or(1 / std::sqrt(static_cast<double>(shape.headWidth)));
    const AttentionCall call{
        .mask = mask, .isCausal = !mask, .scale = scale, .hasGroups = !mask && groups > 1};
    const ValueId attended =
        attention.scoreLimit
            ? limitedAttention(net, turnedQuery, turnedKey, value, call, *attention.scoreLimit)
            : scaledDotProductAttention(net, turnedQuery, turnedKey, value, call);
    const ValueId rows = contiguous(net, transpose(net, attended, 1, 2));
    const ValueId joined = reshape(net, rows, {place.batch, place.time, shape.heads * shape.headWidth});
    return linearLayer(net, "o_proj", joined, width);
}

ValueId causalMask(Network& net, const SymInt& time, std::optional<std::int64_t> window)
{
    const ValueId places = arange(net, time);
    const ValueId rows = unsqueeze(net, places, 1);
    const ValueId columns = unsqueeze(net, places, 0);
    ValueId seen = compared(net, "le.Tensor", columns, rows, time);
    if (window) {
        const ValueId first = net.op("sub.Tensor", {{"self", rows}, {"other", *window}}, net.meta(rows));
        const ValueId near = compared(net, "gt.Tensor", columns, first, time);
        seen = compared(net, "bitwise_and.Tensor", near, seen, time);
    }
    return unsqueeze(net, unsqueeze(net, seen, 0), 0);
}

ValueId additiveMask(Network& net, ValueId mask)
{
    const double hidden = -std::numeric_limits<double>::infinity();
    const ValueId numbers = net.op("where.Scalar", {{"condition", mask}, {"self", 0.0}, {"other", hidden}},
                                   contiguousMeta(DType::F32, net.sizes(mask)));
    return toType(net, numbers, net.dtype());
}

} // namespace stagecraft
