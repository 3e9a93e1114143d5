#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"
#include "core/forms/tensor_shapes.h"

#include <array>
#include <cmath>

namespace stagecraft {

namespace {

const LibraryNames t5Names{"transformers.models.t5.modeling_t5.", "T5"};

constexpr double lowestF32 = -3.4028234663852886e+38;
constexpr double lowestBF16 = -3.3895313892515355e+38;

// ---------------------------------------------------------------- relative positions
ValueId integersWith(Network& net, const char* name, ValueId x, std::int64_t number)
{
    return net.op(name, {{"self", x}, {"other", number}}, net.meta(x));
}

ValueId lessThan(Network& net, ValueId x, std::int64_t number)
{
    return net.op("lt.Scalar", {{"self", x}, {"other", number}}, contiguousMeta(DType::Bool, net.sizes(x)));
}

ValueId smallerOf(Network& net, ValueId a, ValueId b)
{
    return net.op("min.other", {{"self", a}, {"other", b}}, net.meta(a));
}

// Which way attention looks along the positions.
enum class Looking { BothWays, Back };

struct RelativePositions
{
    std::int64_t buckets = 0;
    std::int64_t farthest = 0; // all beyond share a bucket
};

// Distances of 0 and more as buckets: one each for the first half, then ever wider ones.
ValueId bucketed(Network& net, ValueId distance, std::int64_t buckets, std::int64_t farthest)
{
    const std::int64_t exact = buckets / 2;
    const double ratio = static_cast<double>(farthest) / static_cast<double>(exact);
    const ValueId share = divideByNumber(net, toType(net, distance, DType::F32), static_cast<double>(exact));
    const ValueId part = divideByNumber(net, unary(net, "log", share), std::log(ratio));
    const ValueId wide = mulNumber(net, part, static_cast<double>(buckets - exact));
    const ValueId far = integersWith(net, "add.Tensor", toType(net, wide, DType::I64), exact);
    const ValueId last = net.op(
        "full_like", {{"self", far}, {"fill_value", buckets - 1}, {"=pin_memory", false}}, net.meta(far));
    const ValueId within = smallerOf(net, far, last);
    return net.op("where.self",
                  {{"condition", lessThan(net, distance, exact)}, {"self", distance}, {"other", within}},
                  net.meta(distance));
}

// [1, heads, time, time]: what is added to the scores of a query and a key so far apart.
ValueId positionBias(Network& net, const SymInt& time, std::int64_t heads, const RelativePositions& relative,
                     Looking looking)
{
    const ValueId places = arange(net, time);
    const ValueId apart =
        net.op("sub.Tensor", {{"self", unsqueeze(net, places, 0)}, {"other", unsqueeze(net, places, 1)}},
               contiguousMeta(DType::I64, {time, time}));
    std::int64_t buckets = relative.buckets;
    ValueId bucket = apart;
    if (looking == Looking::BothWays) {
        buckets /= 2;
        const ValueId isAhead = net.op("gt.Scalar", {{"self", apart}, {"other", std::int64_t{0}}},
                                       contiguousMeta(DType::Bool, {time, time}));
        const ValueId first = integersWith(net, "mul.Tensor", toType(net, isAhead, DType::I64), buckets);
        bucket = add(net, first, bucketed(net, unary(net, "abs", apart), buckets, relative.farthest));
    } else {
        const ValueId none = net.op("zeros_like", {{"self", apart}, {"=pin_memory", false}}, net.meta(apart));
        const ValueId back = unary(net, "neg", smallerOf(net, apart, none));
        bucket = bucketed(net, back, buckets, relative.farthest);
    }
    const ValueId biases = embeddingLayer(net, "relative_attention_bias", bucket, relative.buckets, heads);
    return unsqueeze(net, permute(net, biases, {2, 0, 1}), 0);
}

// [batch, 1, rows, columns], in `condition`'s last two dimensions.
ValueId forAllSamples(Network& net, ValueId condition, const SymInt& batch, const SymInt& rows,
                      const SymInt& columns)
{
    return expand(net, condition, {batch, 1, rows, columns});
}

// May be seen: everything, told row by row.
ValueId allSeen(Network& net, const SymInt& batch, const SymInt& rows, const SymInt& columns)
{
    const ValueId places = unsqueeze(net, unsqueeze(net, unsqueeze(net, arange(net, rows), 0), 1), 3);
    const ValueId isPlace = net.op("ge.Scalar", {{"self", places}, {"other", std::int64_t{0}}},
                                   contiguousMeta(DType::Bool, net.sizes(places)));
    return forAllSamples(net, isPlace, batch, rows, columns);
}

// `scores` where `seen`, the lowest number elsewhere; laid out anew.
ValueId masked(Network& net, ValueId seen, ValueId scores)
{
    const double lowest = net.dtype() == DType::F32 ? lowestF32 : lowestBF16;
    const std::array<TensorMeta, 2> operands{net.meta(seen), net.meta(scores)};
    return net.op("where.ScalarOther", {{"condition", seen}, {"self", scores}, {"other", lowest}},
                  elementwiseMeta(operands, net.dtype()));
}

// ---------------------------------------------------------------- layers
// No mean is taken off; squares are averaged in 32 bits.
ValueId t5Norm(Network& net, const std::string& path, ValueId x, double epsilon)
{
    const Network::Scope scope = net.enter(path, t5Names.of("LayerNorm"));
    const ValueId weight = net.parameter("weight", {net.sizes(x).back()}, InitialValues::constant(1));
    const ValueId wide = toType(net, x, DType::F32);
    const ValueId squares = mean(net, power(net, wide, std::int64_t{2}), {-1}, true);
    const ValueId normed = mul(net, x, unary(net, "rsqrt", addNumber(net, squares, epsilon)));
    return mul(net, weight, toType(net, normed, net.dtype()));
}

// What attention adds to its scores, and its mask.
struct Bias
{
    ValueId seen;
    std::optional<ValueId> scores; // of a stack: its first layer makes them
};

struct Stack
{
    std::string path;
    std::int64_t layers = 0;
    Looking looking = Looking::BothWays;
    SymInt time;
    std::optional<ValueId> read; // what a decoder's layers attend to
    SymInt readTime;
};

class T5Writer
{
public:
    T5Writer(Network& net, const FormValues& values) : m_net(net), m_values(values)
    {
        m_batch = net.symbol("batch", values["batch"], 1, mostTokens);
        m_sequence = net.symbol("sequence", values["sequence"], 1, mostTokens);
        m_target = net.symbol("target", values["target"], 1, mostTokens);
    }
    void write();

private:
    ValueId embedded(ValueId ids);
    ValueId stack(const Stack& stack, ValueId ids);
    ValueId selfAttention(const Stack& stack, std::int64_t index, ValueId x);
    ValueId crossAttention(const Stack& stack, ValueId x);
    ValueId attention(ValueId x, ValueId read, const SymInt& time, const SymInt& readTime,
                      const std::function<ValueId()>& mask);
    ValueId feedForward(const std::string& path, ValueId x);
    ValueId dropped(ValueId x) { return dropoutLayer(m_net, "dropout", x, m_values["dropout"]); }

    Network& m_net;
    const FormValues& m_values;
    SymInt m_batch;
    SymInt m_sequence;
    SymInt m_target;
    std::optional<Bias> m_bias;      // of the stack that is being written
    std::optional<Bias> m_crossBias; // of the decoder
};

ValueId T5Writer::attention(ValueId x, ValueId read, const SymInt& time, const SymInt& readTime,
                            const std::function<ValueId()>& mask)
{
    const std::int64_t heads = m_values["heads"];
    const std::int64_t width = m_values["head-width"];
    const auto headsOf = [&](const char* path, ValueId of, const SymInt& length) {
        const ValueId made = linearLayer(m_net, path, of, heads * width);
        return transpose(m_net, view(m_net, made, {m_batch, length, heads, width}), 1, 2);
    };
    const ValueId query = headsOf("q", x, time);
    const ValueId key = headsOf("k", read, readTime);
    const ValueId value = headsOf("v", read, readTime);
    const AttentionCall call{.mask = mask(), .dropoutPercent = m_values["dropout"], .scale = 1.0};
    const ValueId attended = scaledDotProductAttention(m_net, query, key, value, call);
    const ValueId rows = contiguous(m_net, transpose(m_net, attended, 1, 2));
    return linearLayer(m_net, "o", reshape(m_net, rows, {m_batch, time, heads * width}), m_values["width"]);
}

ValueId T5Writer::selfAttention(const Stack& stack, std::int64_t index, ValueId x)
{
    const Network::Scope layer = m_net.enter("layer.0", t5Names.of("LayerSelfAttention"));
    const ValueId normed = t5Norm(m_net, "layer_norm", x, epsilonOf(m_values));
    const ValueId attended = [&] {
        const Network::Scope scope = m_net.enter("SelfAttention", t5Names.of("Attention"));
        return attention(normed, normed, stack.time, stack.time, [&] {
            if (index == 0)
                m_bias->scores = positionBias(m_net, stack.time, m_values["heads"],
                                              {m_values["buckets"], m_values["farthest"]}, stack.looking);
            return contiguous(m_net, masked(m_net, m_bias->seen, *m_bias->scores));
        });
    }();
    return add(m_net, x, dropped(attended));
}

ValueId T5Writer::crossAttention(const Stack& stack, ValueId x)
{
    const Network::Scope layer = m_net.enter("layer.1", t5Names.of("LayerCrossAttention"));
    const ValueId normed = t5Norm(m_net, "layer_norm", x, epsilonOf(m_values));
    const ValueId attended = [&] {
        const Network::Scope scope = m_net.enter("EncDecAttention", t5Names.of("Attention"));
        return attention(normed, *stack.read, stack.time, stack.readTime,
                         [&] { return masked(m_net, m_crossBias->seen, *m_crossBias->scores); });
    }();
    return add(m_net, x, dropped(attended));
}

ValueId T5Writer::feedForward(const std::string& path, ValueId x)
{
    const Network::Scope layer = m_net.enter(path, t5Names.of("LayerFF"));
    const ValueId normed = t5Norm(m_net, "layer_norm", x, epsilonOf(m_values));
    const ValueId fed = [&] {
        const Network::Scope scope = m_net.enter("DenseReluDense", t5Names.of("DenseActDense"));
        const ValueId wide = linearLayer(m_net, "wi", normed, m_values["inner"]);
        const ValueId active =
            activationLayer(m_net, "act", "torch.nn.modules.activation.ReLU", wide, Activation::Relu);
        return linearLayer(m_net, "wo", dropped(active), m_values["width"]);
    }();
    return add(m_net, x, dropped(fed));
}

ValueId T5Writer::embedded(ValueId ids)
{
    const Network::Scope scope = m_net.enter("embed_tokens", "torch.nn.modules.sparse.Embedding");
    const ValueId table = m_net.known("shared.weight");
    m_net.alias("weight", table);
    return embedding(m_net, table, ids);
}

ValueId T5Writer::stack(const Stack& stack, ValueId ids)
{
    const Network::Scope scope = m_net.enter(stack.path, t5Names.of("Stack"));
    ValueId x = embedded(ids);
    const ValueId seen =
        stack.looking == Looking::BothWays
            ? allSeen(m_net, m_batch, stack.time, stack.time)
            : forAllSamples(m_net, causalMask(m_net, stack.time, {}), m_batch, stack.time, stack.time);
    m_bias = Bias{seen, {}};
    if (stack.read) {
        const Sizes sizes{1, m_values["heads"], stack.time, stack.readTime};
        const ValueId none = m_net.op("zeros",
                                      {{"size", m_net.sizeList(sizes)},
                                       {"=dtype", m_net.dtype()},
                                       {"=device", Device{}},
                                       {"=pin_memory", false}},
                                      contiguousMeta(m_net.dtype(), sizes));
        m_crossBias = Bias{allSeen(m_net, m_batch, stack.time, stack.readTime), none};
    }
    x = dropped(x);
    for (std::int64_t i = 0; i < stack.layers; ++i) {
        const Network::Scope block = m_net.enter("block." + std::to_string(i), t5Names.of("Block"));
        x = selfAttention(stack, i, x);
        if (stack.read)
            x = crossAttention(stack, x);
        x = feedForward(stack.read ? "layer.2" : "layer.1", x);
    }
    return dropped(t5Norm(m_net, "final_layer_norm", x, epsilonOf(m_values)));
}

void T5Writer::write()
{
    const ValueId ids = m_net.input("input_ids", {m_batch, m_sequence}, DType::I64);
    const ValueId targets = m_net.input("decoder_input_ids", {m_batch, m_target}, DType::I64);
    const std::int64_t width = m_values["width"];
    const ValueId table = m_net.parameter("shared.weight", {m_values["vocabulary"], width});
    const ValueId read = stack({"encoder", m_values["layers"], Looking::BothWays, m_sequence, {}, {}}, ids);
    const ValueId states =
        stack({"decoder", m_values["decoder-layers"], Looking::Back, m_target, read, m_sequence}, targets);
    const ValueId scaled = mulNumber(m_net, states, 1 / std::sqrt(static_cast<double>(width)));
    const Network::Scope scope = m_net.enter("lm_head", "torch.nn.modules.linear.Linear");
    m_net.alias("weight", table);
    m_net.output(linear(m_net, scaled, table));
}

// Both halves of the encoder's buckets have ones of a single distance, and wider ones.
Result<void> checkT5(const FormValues& values)
{
    STAGECRAFT_TRY(dividesBy(values, "buckets", 4, "before and behind, single and wide"));
    if (values["farthest"] > values["buckets"] / 2)
        return {};
    return Error{ErrorCode::BadUsage,
                 "--farthest " + std::to_string(values["farthest"]) + " is not more than half of --buckets " +
                     std::to_string(values["buckets"]) + ": that far every distance has its own"};
}

FormPreset t5Preset(const std::string& name, const std::string& title,
                    const std::array<std::int64_t, 5>& sizes, std::int64_t parameters)
{
    const auto [layers, width, heads, headWidth, inner] = sizes;
    return weightsPreset(name, title,
                         {{"layers", layers},
                          {"decoder-layers", layers},
                          {"width", width},
                          {"heads", heads},
                          {"head-width", headWidth},
                          {"inner", inner}},
                         parameters);
}

} // namespace

FormFamily t5Family()
{
    return {.name = "t5",
            .title = "T5",
            .group = "Language",
            .summary = "T5: encoder and decoder, relative positions, one table for all embeddings",
            .rootClass = t5Names.of("ForConditionalGeneration"),
            .parameters = {countParameter("layers", "Layers of the encoder", 12, 1, 10000),
                           countParameter("decoder-layers", "Layers of the decoder", 12, 1, 10000),
                           countParameter("width", "Width", 768),
                           countParameter("heads", "Heads", 12, 1, 10000),
                           countParameter("head-width", "Width of a head", 64, 1, 1 << 16),
                           countParameter("inner", "Width of feed-forward", 3072),
                           vocabularyParameter(32128),
                           countParameter("buckets", "Buckets of relative positions", 32, 4, 1 << 16),
                           {"farthest", "Beyond it positions share a bucket", "tokens", 2, 1 << 20, 128, {}},
                           dropoutParameter(10),
                           epsilonParameter(6),
                           batchParameter(8),
                           {"sequence", "Sequence", "tokens", 2, 1 << 24, 512, {}},
                           {"target", "Sequence of the decoder", "tokens", 2, 1 << 24, 114, {}},
                           // In 16 bits of float16 its sums overflow: the library would cut them off.
                           choiceParameter("dtype", "Element type", {"float32", "bfloat16"})},
            .presets = {t5Preset("t5-base", "T5 base", {12, 768, 12, 64, 3072}, 222903552),
                        t5Preset("t5-small", "T5 small", {6, 512, 8, 64, 2048}, 60506624),
                        t5Preset("t5-large", "T5 large", {24, 1024, 16, 64, 4096}, 737668096),
                        t5Preset("t5-3b", "T5 3B", {24, 1024, 32, 128, 16384}, 2851598336),
                        t5Preset("t5-11b", "T5 11B", {24, 1024, 128, 128, 65536}, 11307321344)},
            .check = checkT5,
            .write = [](Network& net, const FormValues& values) { T5Writer(net, values).write(); }};
}

} // namespace stagecraft
