// Decoder: the skeleton that language models of today share, with what differs put in.
//
//     ids ─embed_tokens─► x ─┬─ norm ─ attention ─┬─ norm ─ feed-forward ─┬─► ... ─ norm ─ lm_head ─► logits
//                            └───────────────────►+└──────────────────────►+
#pragma once

#include "core/forms/form.h"
#include "core/forms/layers.h"

#include <functional>
#include <optional>
#include <string>

namespace stagecraft {

struct DecoderShape
{
    LibraryNames names;
    std::int64_t vocabulary = 0;
    std::int64_t width = 0;
    std::int64_t layers = 0;
    double epsilon = 1e-5;
    NormScale normScale = NormScale::Weight;
    // Norms after attention and feed-forward as well, inside the residual: Gemma 2 and 3.
    bool hasOuterNorms = false;
    bool isTied = false;
    bool scalesEmbeddings = false;       // by the root of the width
    std::optional<std::int64_t> padding; // the token whose embedding has no gradient
    std::optional<double> logitLimit;    // logits stay within it, by tanh
    // Modules behind the model that each predict one token further (arXiv:2412.19437, section 2.2).
    std::int64_t furtherTokens = 0;
    // Of the module "model" that has the decoder as "language_model", where more than words is read. Empty:
    // the decoder is "model".
    std::string outerClass;
};

// What the parts of a layer are given.
struct LayerPlace
{
    std::int64_t index = 0;
    SymInt batch;
    SymInt time;
};

struct DecoderParts
{
    // What all layers read: rotary tables, masks. Runs in the module of the decoder.
    std::function<void(Network&, const LayerPlace&)> prepare;
    // What layers read, of the words alone, [batch, time, width]. Only with an outer class, in its module.
    std::function<ValueId(Network&, ValueId ids, ValueId words, const LayerPlace&)> mixed = {};
    // x is [batch, time, width], normed; each enters its own module.
    std::function<ValueId(Network&, ValueId x, const LayerPlace&)> attention;
    std::function<ValueId(Network&, ValueId x, const LayerPlace&)> feedForward;
};

// The hidden states behind the last norm, and the table of embeddings. Inside the module "model".
struct DecoderStates
{
    ValueId hidden;
    ValueId embeddings;
};

// The two sizes that vary in language models: symbols `batch` and `sequence`.
inline constexpr std::int64_t mostTokens = std::int64_t{1} << 24;
LayerPlace sequenceSymbols(Network& net, const FormValues& values, std::int64_t longest = mostTokens,
                           std::int64_t shortest = 1);
DecoderStates writeDecoder(Network& net, const DecoderShape& shape, const DecoderParts& parts, ValueId ids,
                           const LayerPlace& place);
// The whole model: input_ids to logits, and behind them those of each further token, of a sequence that much
// shorter.
void writeCausalModel(Network& net, const DecoderShape& shape, const DecoderParts& parts,
                      const FormValues& values);

// What queries and keys are normed by, each head of its own.
enum class HeadNorms {
    None,
    BeforeTranspose, // as Qwen3 has them
    AfterTranspose,  // as Gemma 3 has them
};

// Attention with rotary positions, as Llama and its kin have it.
struct RotaryAttention
{
    AttentionShape shape;
    HasBias bias = HasBias::No; // of queries, keys and values
    HeadNorms headNorms = HeadNorms::None;
    NormScale normScale = NormScale::Weight;
    double epsilon = 1e-6;
    std::optional<double> scale; // none: by the width of a head
    // Scores stay within it, by tanh: written out, for no kernel does that. Needs a mask of numbers.
    std::optional<double> scoreLimit;
    std::string normClass;
};
// `mask`: none of causal attention.
ValueId rotaryAttention(Network& net, const std::string& className, const RotaryAttention& attention,
                        const RotaryTables& rotary, std::optional<ValueId> mask, ValueId x,
                        const LayerPlace& place);

// [1, 1, time, time]: may the token of a row see that of a column? Those before it, and where there is a
// `window`, so many with itself.
ValueId causalMask(Network& net, const SymInt& time, std::optional<std::int64_t> window);
// The same as what is added to scores: 0, or minus infinity.
ValueId additiveMask(Network& net, ValueId mask);

} // namespace stagecraft
