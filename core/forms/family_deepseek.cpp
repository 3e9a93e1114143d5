#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

#include <cmath>
#include <limits>

namespace stagecraft {

namespace {

const LibraryNames deepseekNames{"transformers.models.deepseek_v3.modeling_deepseek_v3.", "DeepseekV3"};

// What the weights of a token's experts come to.
constexpr double expertsScale = 2.5;

// Of the norms of latents: the library's, whatever that of the others is.
constexpr double latentEpsilon = 1e-6;

// ---------------------------------------------------------------- latent attention
struct LatentAttention
{
    explicit LatentAttention(const FormValues& values)
        : heads(values["heads"]),
          plainWidth(values["head-width"]),
          rotaryWidth(values["rope-width"]),
          valueWidth(values["value-width"]),
          queryRank(values["query-rank"]),
          latentRank(values["latent-rank"]),
          scale(1 / std::sqrt(static_cast<double>(plainWidth + rotaryWidth)))
    {
        const double sharpened = 0.1 * std::log(static_cast<double>(values["rope-factor"])) + 1; // YaRN's
        scale *= sharpened * sharpened;
    }

    std::int64_t heads;
    std::int64_t plainWidth;  // of queries and keys, without positions
    std::int64_t rotaryWidth; // and with them
    std::int64_t valueWidth;
    std::int64_t queryRank;
    std::int64_t latentRank;
    double scale;
};

ValueId latentNorm(Network& net, const std::string& path, ValueId x)
{
    return rmsNormLayer(net, path, deepseekNames.of("RMSNorm"), x, latentEpsilon);
}

// Pairs of neighbours turned.
ValueId turnedPairs(Network& net, ValueId x, ValueId cosines, ValueId sines)
{
    const ValueId even = everySecond(net, x, 3, 0);
    const ValueId odd = everySecond(net, x, 3, 1);
    const ValueId first = sub(net, mul(net, even, cosines), mul(net, odd, sines));
    const ValueId second = add(net, mul(net, odd, cosines), mul(net, even, sines));
    return cat(net, {first, second}, -1);
}

struct KeysAndValues
{
    ValueId keys;
    ValueId values;
};

// Keys and values of all heads out of what is kept of a token: a latent, and one turned key.
KeysAndValues expandedLatent(Network& net, const LatentAttention& shape, ValueId latent, ValueId turnedKey,
                             const LayerPlace& place)
{
    const std::int64_t width = shape.plainWidth + shape.valueWidth;
    const std::int64_t keyWidth = shape.plainWidth + shape.rotaryWidth;
    const ValueId wide = linearLayer(net, "kv_b_proj", latent, shape.heads * width);
    const ValueId heads =
        transpose(net, view(net, wide, {place.batch, place.time, shape.heads, width}), 1, 2);
    const auto parts = splitWidths(net, heads, {shape.plainWidth, shape.valueWidth}, -1);
    const ValueId everywhere =
        expand(net, turnedKey, {place.batch, shape.heads, place.time, shape.rotaryWidth});
    const Sizes sizes{place.batch, shape.heads, place.time, keyWidth};
    const ValueId keys =
        net.op("new_empty", {{"self", heads}, {"size", net.sizeList(sizes)}, {"=pin_memory", false}},
               contiguousMeta(net.dtype(), sizes));
    const auto fill = [&](std::int64_t begin, std::int64_t end, ValueId source) {
        const ValueId part = slice(net, keys, 3, begin, end);
        net.op("copy_", {{"self", part}, {"src", source}}, net.meta(part));
    };
    fill(0, shape.plainWidth, parts[0]);
    fill(shape.plainWidth, keyWidth, everywhere);
    return {keys, parts[1]};
}

ValueId latentAttention(Network& net, const LatentAttention& shape, const RotaryTables& rotary, ValueId x,
                        const LayerPlace& place)
{
    const Network::Scope scope = net.enter("self_attn", deepseekNames.of("Attention"));
    const std::int64_t keyWidth = shape.plainWidth + shape.rotaryWidth;
    const ValueId small = latentNorm(net, "q_a_layernorm", linearLayer(net, "q_a_proj", x, shape.queryRank));
    const ValueId wide = linearLayer(net, "q_b_proj", small, shape.heads * keyWidth);
    const ValueId queries =
        transpose(net, view(net, wide, {place.batch, place.time, shape.heads, keyWidth}), 1, 2);
    const auto query = splitWidths(net, queries, {shape.plainWidth, shape.rotaryWidth}, -1);
    const ValueId kept = linearLayer(net, "kv_a_proj_with_mqa", x, shape.latentRank + shape.rotaryWidth);
    const auto parts = splitWidths(net, kept, {shape.latentRank, shape.rotaryWidth}, -1);
    const ValueId latent = view(net, latentNorm(net, "kv_a_layernorm", parts[0]),
                                {place.batch, 1, place.time, shape.latentRank});
    const ValueId key = view(net, parts[1], {place.batch, 1, place.time, shape.rotaryWidth});
    const auto half = [&](ValueId table) {
        const bool isWhole = net.sizes(table)[1] == place.time;
        const ValueId here = isWhole ? table : slice(net, table, 1, 0, place.time);
        return unsqueeze(net, slice(net, here, 2, 0, shape.rotaryWidth / 2), 1);
    };
    const ValueId cosines = half(rotary.cosines);
    const ValueId sines = half(rotary.sines);
    const ValueId turnedQuery = turnedPairs(net, query[1], cosines, sines);
    const ValueId turnedKey = turnedPairs(net, key, cosines, sines);
    const ValueId asked = cat(net, {query[0], turnedQuery}, -1);
    const KeysAndValues found = expandedLatent(net, shape, latent, turnedKey, place);
    const ValueId attended = scaledDotProductAttention(net, asked, found.keys, found.values,
                                                       {.isCausal = true, .scale = shape.scale});
    const ValueId rows = contiguous(net, transpose(net, attended, 1, 2));
    const ValueId joined = reshape(net, rows, {place.batch, place.time, shape.heads * shape.valueWidth});
    return linearLayer(net, "o_proj", joined, net.sizes(x)[2].constant());
}

// ---------------------------------------------------------------- experts
// Of whose groups a token may choose, -inf for the others: those with the best two experts together.
ValueId withinGroups(Network& net, const FormValues& values, ValueId scores)
{
    const std::int64_t groups = values["groups"];
    const std::int64_t members = values["experts"] / groups;
    const SymInt tokens = net.sizes(scores)[0];
    const TopK best = topk(net, view(net, scores, {tokens, groups, members}), 2);
    const ValueId ofGroups = sumOver(net, best.values, -1, false);
    const TopK chosen = topk(net, ofGroups, values["groups-chosen"], Sorted::No);
    const ValueId none =
        net.op("zeros_like", {{"self", ofGroups}, {"=pin_memory", false}}, net.meta(ofGroups));
    const ValueId marked = net.op(
        "scatter_.value",
        {{"self", none}, {"dim", std::int64_t{1}}, {"index", chosen.indices}, {"value", std::int64_t{1}}},
        net.meta(none));
    const ValueId wide = expand(net, unsqueeze(net, marked, -1), {tokens, groups, members});
    const ValueId allowed = toType(net, reshape(net, wide, {tokens, values["experts"]}), DType::Bool);
    const ValueId forbidden = unary(net, "bitwise_not", allowed);
    return net.op(
        "masked_fill.Scalar",
        {{"self", scores}, {"mask", forbidden}, {"value", -std::numeric_limits<double>::infinity()}},
        net.meta(scores));
}

Routing routedWithinGroups(Network& net, const FormValues& values, ValueId x)
{
    const Network::Scope scope = net.enter("gate", deepseekNames.of("TopkRouter"));
    const std::int64_t experts = values["experts"];
    const SymInt width = net.sizes(x).back();
    const ValueId weight = net.parameter("weight", {experts, width}, {}, DType::F32); // whatever the model's
    const ValueId bias =
        net.buffer("e_score_correction_bias", {experts}, InitialValues::constant(0), DType::F32, true);
    const ValueId tokens = view(net, x, {product({net.sizes(x)[0], net.sizes(x)[1]}), width});
    const ValueId wide = toType(net, tokens, DType::F32);
    const ValueId scores = unary(net, "sigmoid", linear(net, wide, toType(net, weight, DType::F32)));
    const ValueId open = withinGroups(net, values, add(net, scores, bias));
    const ValueId chosen = topk(net, open, values["experts-chosen"], Sorted::No).indices;
    const ValueId weights = gather(net, scores, 1, chosen);
    const ValueId whole = addNumber(net, sumOver(net, weights, -1, true), 1e-20);
    return {mulNumber(net, divideInPlace(net, weights, whole), expertsScale), chosen};
}

ValueId deepseekExperts(Network& net, const FormValues& values, ValueId x, const LayerPlace& place)
{
    const Network::Scope scope = net.enter("mlp", deepseekNames.of("MoE"));
    const SymInt width = net.sizes(x)[2];
    const ExpertsShape shape{values["experts"], values["experts-chosen"], values["expert-width"]};
    const Routing routing = routedWithinGroups(net, values, x);
    const ValueId tokens = view(net, x, {product({place.batch, place.time}), width});
    const ValueId made = expertsLayer(net, "experts", deepseekNames.of("Experts"), tokens, routing, shape);
    const ValueId routed = view(net, made, {place.batch, place.time, width});
    const GatedFeedForward shared{.width = values["expert-width"] * values["shared-experts"]};
    return add(net, routed, gatedFeedForward(net, "shared_experts", deepseekNames.of("MLP"), x, shared));
}

void writeDeepseek(Network& net, const FormValues& values)
{
    const LatentAttention attention(values);
    const RotaryPositions positions{.width = attention.rotaryWidth,
                                    .base = static_cast<double>(values["rope-base"]),
                                    .factor = static_cast<double>(values["rope-factor"]),
                                    .stretch = RotaryStretch::Yarn,
                                    .className = deepseekNames.of("RotaryEmbedding")};
    std::optional<RotaryTables> rotary;
    const DecoderParts parts{.prepare =
                                 [&](Network& here, const LayerPlace& place) {
                                     rotary = rotaryTables(here, "rotary_emb", place.time, positions);
                                 },
                             .attention =
                                 [&](Network& here, ValueId x, const LayerPlace& place) {
                                     return latentAttention(here, attention, *rotary, x, place);
                                 },
                             .feedForward =
                                 [&](Network& here, ValueId x, const LayerPlace& place) {
                                     if (place.index >= values["dense-layers"])
                                         return deepseekExperts(here, values, x, place);
                                     return gatedFeedForward(here, "mlp", deepseekNames.of("MLP"), x,
                                                             {.width = values["inner"]});
                                 }};
    writeCausalModel(net,
                     {.names = deepseekNames,
                      .vocabulary = values["vocabulary"],
                      .width = values["width"],
                      .layers = values["layers"],
                      .epsilon = epsilonOf(values),
                      .furtherTokens = values["mtp-modules"]},
                     parts, values);
}

Result<void> checkDeepseek(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "groups", "experts"));
    STAGECRAFT_TRY(atMost(values, "groups-chosen", "groups"));
    STAGECRAFT_TRY(enoughExperts(values));
    STAGECRAFT_TRY(wholeRows(values, "width"));
    STAGECRAFT_TRY(wholeRows(values, "expert-width"));
    STAGECRAFT_TRY(even(values, "rope-width"));
    if (values["sequence"] < values["mtp-modules"] + 2)
        return Error{ErrorCode::BadUsage, "--sequence " + std::to_string(values["sequence"]) +
                                              " is too short for --mtp-modules " +
                                              std::to_string(values["mtp-modules"]) +
                                              ", of which each leaves one token less; it needs two more"};
    const std::int64_t members = values["experts"] / values["groups"];
    if (members < 2)
        return Error{ErrorCode::BadUsage, "--groups " + std::to_string(values["groups"]) +
                                              " leaves a group one of the --experts " +
                                              std::to_string(values["experts"]) + "; it needs two"};
    const std::int64_t open = members * values["groups-chosen"];
    if (values["experts-chosen"] > open)
        return Error{ErrorCode::BadUsage, "--experts-chosen " + std::to_string(values["experts-chosen"]) +
                                              " is more than the " + std::to_string(open) +
                                              " experts of --groups-chosen " +
                                              std::to_string(values["groups-chosen"])};
    return {};
}

std::vector<FormParameter> latentParameters()
{
    return {countParameter("head-width", "Width of a head without positions", 128, 1, 1 << 16),
            countParameter("rope-width", "Width of a head with positions", 64, 2, 1 << 16),
            countParameter("value-width", "Width of a head's values", 128, 1, 1 << 16),
            countParameter("query-rank", "Rank of queries", 1536),
            countParameter("latent-rank", "Rank of the latent", 512)};
}

} // namespace

FormFamily deepseekFamily()
{
    return {
        .name = "deepseek",
        .title = "DeepSeek-V3",
        .group = "Language",
        .summary = "DeepSeek-V3 and R1: latent attention, routed and shared experts",
        .rootClass = deepseekNames.of("ForCausalLM"),
        .parameters = joined(
            {{countParameter("layers", "Layers", 61, 1, 10000),
              countParameter("dense-layers", "First layers without experts", 3, 0, 10000),
              countParameter("width", "Width", 7168), countParameter("heads", "Heads", 128, 1, 10000)},
             latentParameters(),
             {countParameter("inner", "Width of feed-forward", 18432)},
             expertsParameters(256, 8),
             {countParameter("expert-width", "Width of an expert", 2048),
              countParameter("shared-experts", "Shared experts", 1, 1, 4096),
              countParameter("groups", "Groups of experts", 8, 1, 4096),
              countParameter("groups-chosen", "Groups of a token", 4, 1, 4096), vocabularyParameter(129280),
              rotaryBaseParameter(10000),
              countParameter("rope-factor", "Positions are stretched by", 40, 1, 1024), epsilonParameter(6),
              countParameter("mtp-modules", "Modules that predict further tokens", 0, 0, 16)},
             sequenceParameters(1, 4096),
             {dtypeParameter(UsualType::BF16)}}),
        .presets = {{"deepseek-v3",
                     "DeepSeek-V3, R1 671B",
                     {},
                     671026404352,
                     "tensors of the published weights, without the 14848 biases of routers, which are "
                     "buffers, and the module that predicts a second token"},
                    {"deepseek-v3-mtp",
                     "DeepSeek-V3 with its MTP module",
                     {{"mtp-modules", 1}},
                     682636472320,
                     "the same with the tensors of the module that predicts a second token, whose embeddings "
                     "and head are the model's: 11.6 B, 13.5 B as the weights have them twice"}},
        .check = checkDeepseek,
        .write = writeDeepseek};
}

} // namespace stagecraft
