#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"
#include "core/forms/tensor_shapes.h"

namespace stagecraft {

namespace {

const LibraryNames mambaNames{"transformers.models.mamba.modeling_mamba.", "Mamba"};

// What a graph is drawn, traced and searched with in seconds.
constexpr std::int64_t mostSteps = 1 << 16;

// What a layer's state is made of and read by: inputs and steps are [batch, inner, time], what comes in and
// what goes out [batch, time, state].
struct Selection
{
    ValueId inputs;
    ValueId steps;
    ValueId in;
    ValueId out;
};

// Each channel by itself, of the tokens up to each; the kernel looks no further.
ValueId causalConvolution(Network& net, const FormValues& values, ValueId x)
{
    const Sizes sizes = net.sizes(x);
    const std::int64_t kernel = values["kernel"];
    const ValueId stored = net.parameter("conv1d.weight", {sizes[1], 1, kernel}, InitialValues::normal(0.5));
    const ValueId bias = net.parameter("conv1d.bias", {sizes[1]});
    const ValueId flat = net.op("squeeze.dim", {{"self", stored}, {"dim", std::int64_t{1}}},
                                contiguousMeta(net.dtype(), {sizes[1], kernel}));
    const auto one = [](std::int64_t number) { return IntListArgument{{number}}; };
    const ValueId longer =
        net.op("conv1d",
               {{"input", x},
                {"weight", unsqueeze(net, flat, 1)},
                {"bias", bias},
                {"stride", one(1)},
                {"padding", one(kernel - 1)},
                {"dilation", one(1)},
                {"groups", sizes[1].constant()}},
               contiguousMeta(net.dtype(), {sizes[0], sizes[1], sum(sizes[2], kernel - 1)}));
    const ValueId inTime = kernel == 1 ? longer : slice(net, longer, 2, 0, sizes[2]);
    return activate(net, inTime, Activation::Silu);
}

Selection selected(Network& net, const FormValues& values, ValueId inputs)
{
    const std::int64_t state = values["state"];
    const std::int64_t rank = values["step-rank"];
    const Sizes sizes = net.sizes(inputs);
    const ValueId made = linearLayer(net, "x_proj", transpose(net, inputs, 1, 2), rank + 2 * state);
    const auto parts = splitWidths(net, made, {rank, state, state}, -1);
    const ValueId weight = net.parameter("dt_proj.weight", {sizes[1], rank}, InitialValues::normal(0.1));
    const ValueId bias = net.parameter("dt_proj.bias", {sizes[1]});
    const ValueId narrow = transpose(net, parts[0], 1, 2);
    const ValueId wide =
        net.op("matmul", {{"self", weight}, {"other", narrow}}, contiguousMeta(net.dtype(), sizes));
    const ValueId shifted = add(net, wide, unsqueeze(net, bias, 1));
    return {inputs, unary(net, "softplus", shifted), parts[1], parts[2]};
}

// The state after each token out of that before it, as the library's own loop has it: how much of it is kept
// and what comes in depends on the token. What goes out, [batch, inner, time].
ValueId scanned(Network& net, const FormValues& values, const Selection& with, ValueId rates)
{
    const Sizes sizes = net.sizes(with.inputs);
    const std::int64_t tokens = sizes[2].constant();
    const ValueId steps = unsqueeze(net, with.steps, 3);
    const ValueId exponents = mul(net, unsqueeze(net, unsqueeze(net, rates, 0), 2), steps);
    const ValueId kept = unary(net, "exp", exponents);
    const ValueId in = mul(net, steps, toType(net, unsqueeze(net, with.in, 1), DType::F32));
    const ValueId added = mul(net, in, toType(net, unsqueeze(net, with.inputs, 3), DType::F32));
    const Sizes ofState{sizes[0], sizes[1], values["state"]};
    ValueId state = net.op("zeros",
                           {{"size", net.sizeList(ofState)},
                            {"=dtype", net.dtype()},
                            {"=device", Device{}},
                            {"=pin_memory", false}},
                           contiguousMeta(net.dtype(), ofState));
    TensorListArgument outputs;
    for (std::int64_t i = 0; i < tokens; ++i) {
        state = add(net, mul(net, select(net, kept, 2, i), state), select(net, added, 2, i));
        const ValueId reading = unsqueeze(net, select(net, with.out, 1, i), -1);
        const ValueId read = matmul(net, toType(net, state, net.dtype()), reading);
        outputs.elements.push_back(select(net, read, 2, 0));
    }
    return net.op("stack", {{"tensors", outputs}, {"dim", std::int64_t{-1}}},
                  contiguousMeta(net.dtype(), sizes));
}

ValueId mambaMixer(Network& net, const FormValues& values, ValueId x)
{
    const Network::Scope scope = net.enter("mixer", mambaNames.of("Mixer"));
    const std::int64_t inner = values["inner"];
    const ValueId wide = transpose(net, linearLayer(net, "in_proj", x, 2 * inner), 1, 2);
    const ValueId logarithms = net.parameter("A_log", {inner, values["state"]}, InitialValues::normal(0.5));
    const ValueId rates = unary(net, "neg", unary(net, "exp", toType(net, logarithms, DType::F32)));
    const ValueId beside = net.parameter("D", {inner}, InitialValues::constant(1));
    const auto halves = chunk(net, wide, 2, 1);
    const ValueId inputs = causalConvolution(net, values, halves[0]);
    const ValueId out = scanned(net, values, selected(net, values, inputs), rates);
    const ValueId weights = unsqueeze(net, unsqueeze(net, toType(net, beside, DType::F32), 0), 2);
    const ValueId whole = add(net, out, mul(net, inputs, weights));
    const ValueId gated = mul(net, whole, activate(net, halves[1], Activation::Silu));
    return linearLayer(net, "out_proj", toType(net, transpose(net, gated, 1, 2), net.dtype()),
                       values["width"]);
}

ValueId mambaBlock(Network& net, const FormValues& values, std::int64_t index, ValueId x)
{
    const Network::Scope scope = net.enter("layers." + std::to_string(index), mambaNames.of("Block"));
    const ValueId normed =
        rmsNormLayer(net, "norm", mambaNames.of("RMSNorm"), toType(net, x, net.dtype()), epsilonOf(values));
    return add(net, toType(net, x, DType::F32), mambaMixer(net, values, normed));
}

void writeMamba(Network& net, const FormValues& values)
{
    const SymInt batch = net.symbol("batch", values["batch"], 1, mostTokens);
    const ValueId ids = net.input("input_ids", {batch, values["sequence"]}, DType::I64);
    const ValueId states = [&] {
        const Network::Scope scope = net.enter("backbone", mambaNames.of("Model"));
        ValueId x = embeddingLayer(net, "embeddings", ids, values["vocabulary"], values["width"]);
        for (std::int64_t i = 0; i < values["layers"]; ++i)
            x = mambaBlock(net, values, i, x);
        return rmsNormLayer(net, "norm_f", mambaNames.of("RMSNorm"), x, epsilonOf(values));
    }();
    const ValueId logits = [&] {
        const Network::Scope scope = net.enter("lm_head", "torch.nn.modules.linear.Linear");
        const ValueId words = net.known("backbone.embeddings.weight");
        net.alias("weight", words);
        return linear(net, toType(net, states, net.dtype()), words);
    }();
    net.output(toType(net, logits, DType::F32));
}

// The loop is written out, as torch.export writes it: so many steps, each of six operators.
Result<void> checkMamba(const FormValues& values)
{
    const std::int64_t steps = values["layers"] * values["sequence"];
    if (steps <= mostSteps)
        return {};
    return Error{ErrorCode::BadUsage,
                 "--layers " + std::to_string(values["layers"]) + " times --sequence " +
                     std::to_string(values["sequence"]) + " are " + std::to_string(steps) +
                     " steps of a state, each written out; at most " + std::to_string(mostSteps) +
                     " are: take a shorter sequence, a step of training grows in proportion"};
}

FormPreset mambaPreset(const std::string& size, std::int64_t width, std::int64_t layers,
                       std::int64_t parameters)
{
    return {"mamba-" + size,
            "Mamba " + size,
            {{"width", width}, {"layers", layers}, {"inner", 2 * width}, {"step-rank", width / 16}},
            parameters,
            "transformers' model of the published configuration"};
}

} // namespace

FormFamily mambaFamily()
{
    return {.name = "mamba",
            .title = "Mamba",
            .group = "Language",
            .summary =
                "Mamba: selective state spaces, token after token in the loop that every device can run",
            .rootClass = mambaNames.of("ForCausalLM"),
            .parameters = {countParameter("layers", "Layers", 24, 1, 10000),
                           countParameter("width", "Width", 768),
                           countParameter("inner", "Width inside a layer", 1536),
                           countParameter("state", "State of a channel", 16, 1, 1 << 12),
                           countParameter("step-rank", "Rank of steps", 48),
                           countParameter("kernel", "Tokens of the convolution", 4, 1, 256),
                           vocabularyParameter(50280),
                           epsilonParameter(5),
                           batchParameter(1),
                           {"sequence", "Sequence, each token written out", "tokens", 2, 1 << 12, 64, {}},
                           dtypeParameter(UsualType::F32)},
            .presets = {mambaPreset("130m", 768, 24, 129135360), mambaPreset("370m", 1024, 48, 371516416),
                        mambaPreset("790m", 1536, 48, 793204224), mambaPreset("1.4b", 2048, 48, 1372178432),
                        mambaPreset("2.8b", 2560, 64, 2768345600)},
            .check = checkMamba,
            .write = writeMamba};
}

} // namespace stagecraft
