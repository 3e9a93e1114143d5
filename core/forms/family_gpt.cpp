#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

#include <cmath>

namespace stagecraft {

namespace {

constexpr const char* gptModule = "transformers.models.gpt2.modeling_gpt2.";

// Conv1D of transformers: a linear layer whose weight is [in, out].
ValueId conv1d(Network& net, const std::string& path, ValueId x, std::int64_t width, const LayerPlace& place)
{
    const Network::Scope scope = net.enter(path, "transformers.pytorch_utils.Conv1D");
    const SymInt from = net.sizes(x).back();
    const ValueId weight = net.parameter("weight", {from, width});
    const ValueId bias = net.parameter("bias", {width});
    const ValueId rows = view(net, x, {product({place.batch, place.time}), from});
    return view(net, addmm(net, bias, rows, weight), {place.batch, place.time, width});
}

ValueId gptAttention(Network& net, const FormValues& values, ValueId x, const LayerPlace& place)
{
    const Network::Scope scope = net.enter("attn", std::string(gptModule) + "GPT2Attention");
    const std::int64_t width = values["width"];
    const std::int64_t headWidth = width / values["heads"];
    const auto parts = split(net, conv1d(net, "c_attn", x, 3 * width, place), width, 2);
    const auto heads = [&](ValueId part) {
        const ValueId seen = view(net, part, {place.batch, place.time, values["heads"], headWidth});
        return transpose(net, seen, 1, 2);
    };
    const ValueId key = heads(parts[1]);
    const ValueId value = heads(parts[2]);
    const AttentionCall call{.dropoutPercent = values["dropout"],
                             .isCausal = true,
                             .scale = 1 / std::sqrt(static_cast<double>(headWidth))};
    const ValueId attended = scaledDotProductAttention(net, heads(parts[0]), key, value, call);
    const ValueId rows = contiguous(net, transpose(net, attended, 1, 2));
    const ValueId joined = reshape(net, rows, {place.batch, place.time, width});
    return dropoutLayer(net, "resid_dropout", conv1d(net, "c_proj", joined, width, place), values["dropout"]);
}

ValueId gptFeedForward(Network& net, const FormValues& values, ValueId x, const LayerPlace& place)
{
    const Network::Scope scope = net.enter("mlp", std::string(gptModule) + "GPT2MLP");
    const ValueId inner = conv1d(net, "c_fc", x, values["inner"], place);
    const ValueId active =
        activationLayer(net, "act", "transformers.activations.NewGELUActivation", inner, Activation::NewGelu);
    const ValueId outer = conv1d(net, "c_proj", active, values["width"], place);
    return dropoutLayer(net, "dropout", outer, values["dropout"]);
}

ValueId gptBlock(Network& net, const FormValues& values, ValueId x, const LayerPlace& place)
{
    const std::string path = "h." + std::to_string(place.index);
    const Network::Scope scope = net.enter(path, std::string(gptModule) + "GPT2Block");
    const double epsilon = epsilonOf(values);
    x = add(net, gptAttention(net, values, layerNormLayer(net, "ln_1", x, epsilon), place), x);
    return add(net, x, gptFeedForward(net, values, layerNormLayer(net, "ln_2", x, epsilon), place));
}

void writeGpt(Network& net, const FormValues& values)
{
    LayerPlace place = sequenceSymbols(net, values, values["positions"]);
    const std::int64_t width = values["width"];
    const ValueId ids = net.input("input_ids", {place.batch, place.time}, DType::I64);
    const auto [states, table] = [&] {
        const Network::Scope scope = net.enter("transformer", std::string(gptModule) + "GPT2Model");
        const ValueId tokens = embeddingLayer(net, "wte", ids, values["vocabulary"], width);
        const ValueId places = unsqueeze(net, arange(net, place.time), 0);
        const ValueId positions = embeddingLayer(net, "wpe", places, values["positions"], width);
        ValueId x = dropoutLayer(net, "drop", add(net, tokens, positions), values["dropout"]);
        for (place.index = 0; place.index < values["layers"]; ++place.index)
            x = gptBlock(net, values, x, place);
        return std::pair(layerNormLayer(net, "ln_f", x, epsilonOf(values)),
                         net.parameter("wte.weight", {values["vocabulary"], width}));
    }();
    const Network::Scope scope = net.enter("lm_head", "torch.nn.modules.linear.Linear");
    net.alias("weight", table);
    net.output(linear(net, states, table));
}

Result<void> checkGpt(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "heads", "width"));
    return withinPositions(values);
}

FormPreset gptPreset(const std::string& name, const std::string& title, std::int64_t width,
                     std::int64_t layers, std::int64_t heads, std::int64_t parameters)
{
    return {name,
            title,
            {{"width", width}, {"inner", 4 * width}, {"layers", layers}, {"heads", heads}},
            parameters,
            "state dict of the published weights"};
}

FormPreset gpt3(const std::string& name, const std::string& title, std::int64_t width, std::int64_t layers,
                std::int64_t heads, std::int64_t parameters, std::int64_t roundedTo)
{
    FormPreset made = gptPreset(name, title, width, layers, heads, parameters);
    made.values.insert(made.values.end(), {{"positions", 2048}, {"sequence", 2048}, {"batch", 1}});
    made.source = "table D.1 of arXiv:2005.14165, rounded as there";
    made.roundedTo = roundedTo;
    return made;
}

} // namespace

FormFamily gptFamily()
{
    return {.name = "gpt",
            .title = "GPT",
            .group = "Language",
            .summary = "GPT-2 and GPT-3: learned positions, layer norms before, GELU, tied embeddings",
            .rootClass = std::string(gptModule) + "GPT2LMHeadModel",
            .parameters = joined(
                {{countParameter("layers", "Layers", 12, 1, 10000), countParameter("width", "Width", 768),
                  countParameter("heads", "Heads", 12, 1, 10000),
                  countParameter("inner", "Width of feed-forward", 3072), vocabularyParameter(50257),
                  countParameter("positions", "Positions", 1024), dropoutParameter(10), epsilonParameter(5)},
                 sequenceParameters(8, 1024),
                 {dtypeParameter(UsualType::F32)}}),
            .presets = {gptPreset("gpt2", "GPT-2", 768, 12, 12, 124439808),
                        gptPreset("gpt2-medium", "GPT-2 medium", 1024, 24, 16, 354823168),
                        gptPreset("gpt2-large", "GPT-2 large", 1280, 36, 20, 774030080),
                        gptPreset("gpt2-xl", "GPT-2 XL", 1600, 48, 25, 1557611200),
                        gpt3("gpt3-6.7b", "GPT-3 6.7B", 4096, 32, 32, 6660000000, 10000000),
                        gpt3("gpt3-175b", "GPT-3 175B", 12288, 96, 96, 174600000000, 100000000)},
            .check = checkGpt,
            .write = writeGpt};
}

} // namespace stagecraft
