#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

#include <cmath>

namespace stagecraft {

namespace {

const LibraryNames bertNames{"transformers.models.bert.modeling_bert.", "Bert"};

std::vector<double> countedUp(std::int64_t count)
{
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < count; ++i)
        numbers.push_back(static_cast<double>(i));
    return numbers;
}

ValueId bertEmbeddings(Network& net, const FormValues& values, ValueId ids, const LayerPlace& place)
{
    const Network::Scope scope = net.enter("embeddings", bertNames.of("Embeddings"));
    const std::int64_t positions = values["positions"];
    const std::int64_t width = values["width"];
    constexpr std::int64_t padding = 0;
    const ValueId places =
        net.buffer("position_ids", {1, positions}, {InitialValues::Kind::Listed, 0, countedUp(positions)},
                   DType::I64, false);
    const ValueId types =
        net.buffer("token_type_ids", {1, positions}, InitialValues::constant(0), DType::I64, false);
    const ValueId here = slice(net, places, 1, 0, place.time);
    const ValueId kindsHere = gather(net, expand(net, types, {1, positions}), 1, here);
    const ValueId kinds = expand(net, kindsHere, {place.batch, place.time});
    const ValueId words = embeddingLayer(net, "word_embeddings", ids, values["vocabulary"], width, padding);
    const ValueId typed = add(net, words, embeddingLayer(net, "token_type_embeddings", kinds, 2, width));
    const ValueId all = add(net, typed, embeddingLayer(net, "position_embeddings", here, positions, width));
    return dropoutLayer(net, "dropout", layerNormLayer(net, "LayerNorm", all, epsilonOf(values)),
                        values["dropout"]);
}

ValueId bertSelfAttention(Network& net, const FormValues& values, ValueId x, const LayerPlace& place)
{
    const Network::Scope scope = net.enter("self", bertNames.of("SelfAttention"));
    const std::int64_t width = values["width"];
    const std::int64_t headWidth = width / values["heads"];
    const auto heads = [&](const char* path) {
        const ValueId made = linearLayer(net, path, x, width, HasBias::Yes);
        return transpose(net, view(net, made, {place.batch, place.time, values["heads"], headWidth}), 1, 2);
    };
    const ValueId query = heads("query");
    const ValueId key = heads("key");
    const ValueId value = heads("value");
    const ValueId attended = scaledDotProductAttention(
        net, query, key, value,
        {.dropoutPercent = values["dropout"], .scale = 1 / std::sqrt(static_cast<double>(headWidth))});
    const ValueId rows = contiguous(net, transpose(net, attended, 1, 2));
    return reshape(net, rows, {place.batch, place.time, width});
}

// Dense, dropout, and the norm of the sum with what went in before.
ValueId bertOutput(Network& net, const char* path, const std::string& className, const FormValues& values,
                   ValueId x, ValueId before)
{
    const Network::Scope scope = net.enter(path, className);
    const ValueId dense = linearLayer(net, "dense", x, values["width"], HasBias::Yes);
    const ValueId sum = add(net, dropoutLayer(net, "dropout", dense, values["dropout"]), before);
    return layerNormLayer(net, "LayerNorm", sum, epsilonOf(values));
}

ValueId bertLayer(Network& net, const FormValues& values, ValueId x, const LayerPlace& place)
{
    const Network::Scope scope = net.enter("layer." + std::to_string(place.index), bertNames.of("Layer"));
    const ValueId attended = [&] {
        const Network::Scope inner = net.enter("attention", bertNames.of("Attention"));
        return bertOutput(net, "output", bertNames.of("SelfOutput"), values,
                          bertSelfAttention(net, values, x, place), x);
    }();
    const ValueId active = [&] {
        const Network::Scope inner = net.enter("intermediate", bertNames.of("Intermediate"));
        const ValueId dense = linearLayer(net, "dense", attended, values["inner"], HasBias::Yes);
        return activationLayer(net, "intermediate_act_fn", "transformers.activations.GELUActivation", dense,
                               Activation::Gelu);
    }();
    return bertOutput(net, "output", bertNames.of("Output"), values, active, attended);
}

// The head that says which words were masked; its weight is the table of words.
ValueId bertHead(Network& net, const FormValues& values, ValueId x, ValueId words)
{
    const Network::Scope scope = net.enter("cls.predictions", bertNames.of("LMPredictionHead"));
    const ValueId transformed = [&] {
        const Network::Scope inner = net.enter("transform", bertNames.of("PredictionHeadTransform"));
        const ValueId dense = linearLayer(net, "dense", x, values["width"], HasBias::Yes);
        return layerNormLayer(net, "LayerNorm", activate(net, dense, Activation::Gelu), epsilonOf(values));
    }();
    const Network::Scope decoder = net.enter("decoder", "torch.nn.modules.linear.Linear");
    net.alias("weight", words);
    const ValueId bias = net.parameter("bias", {values["vocabulary"]});
    net.aliasOf("cls.predictions.bias", bias);
    return linear(net, transformed, words, bias);
}

void writeBert(Network& net, const FormValues& values)
{
    LayerPlace place = sequenceSymbols(net, values, values["positions"]);
    const ValueId ids = net.input("input_ids", {place.batch, place.time}, DType::I64);
    const auto [states, words] = [&] {
        const Network::Scope scope = net.enter("bert", bertNames.of("Model"));
        ValueId x = bertEmbeddings(net, values, ids, place);
        const Network::Scope encoder = net.enter("encoder", bertNames.of("Encoder"));
        for (place.index = 0; place.index < values["layers"]; ++place.index)
            x = bertLayer(net, values, x, place);
        return std::pair(x, net.known("bert.embeddings.word_embeddings.weight"));
    }();
    net.output(bertHead(net, values, states, words));
}

Result<void> checkBert(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "heads", "width"));
    return withinPositions(values);
}

} // namespace

FormFamily bertFamily()
{
    const std::string source = "state dict of the published weights, with the head for masked words";
    return {.name = "bert",
            .title = "BERT",
            .group = "Language",
            .summary = "BERT for masked words: an encoder with learned positions and norms after",
            .rootClass = bertNames.of("ForMaskedLM"),
            .parameters = joined(
                {{countParameter("layers", "Layers", 12, 1, 10000), countParameter("width", "Width", 768),
                  countParameter("heads", "Heads", 12, 1, 10000),
                  countParameter("inner", "Width of feed-forward", 3072), vocabularyParameter(30522),
                  countParameter("positions", "Positions", 512), dropoutParameter(10), epsilonParameter(12)},
                 sequenceParameters(16, 512),
                 {dtypeParameter(UsualType::F32)}}),
            .presets = {{"bert-base", "BERT base", {}, 109514298, source},
                        {"bert-large",
                         "BERT large",
                         {{"layers", 24}, {"width", 1024}, {"heads", 16}, {"inner", 4096}},
                         335174458,
                         source}},
            .check = checkBert,
            .write = writeBert};
}

} // namespace stagecraft
