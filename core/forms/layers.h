// The parts that models are made of: modules of torch.nn and the blocks of attention, feed-forward and
// experts that families share. Each enters its own module, has its parameters there, and writes what the
// module of the library runs.
#pragma once

#include "core/forms/operators.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// Names of a library's classes: "transformers.models.llama.modeling_llama." and "Llama".
struct LibraryNames
{
    std::string module;
    std::string prefix;

    std::string of(const std::string& ending) const { return module + prefix + ending; }
};

enum class HasBias : bool { No, Yes };

ValueId linearLayer(Network& net, const std::string& path, ValueId x, std::int64_t width,
                    HasBias bias = HasBias::No);
// A row of the table for each id; that of `padding` has no gradient.
ValueId embeddingLayer(Network& net, const std::string& path, ValueId ids, std::int64_t rows,
                       std::int64_t width, std::optional<std::int64_t> padding = {});
ValueId layerNormLayer(Network& net, const std::string& path, ValueId x, double epsilon,
                       HasBias bias = HasBias::Yes);
// The same in the module where one is.
ValueId layerNormHere(Network& net, ValueId x, double epsilon, HasBias bias = HasBias::Yes);
ValueId dropoutLayer(Network& net, const std::string& path, ValueId x, std::int64_t percent);

enum class NormScale {
    Weight,        // as Llama has it
    OnePlusWeight, // as Gemma has it: in 32 bits, weights around 0
    None,          // no weight
};
// Root-mean-square norm, reckoned in 32 bits.
ValueId rmsNormLayer(Network& net, const std::string& path, const std::string& className, ValueId x,
                     double epsilon, NormScale scale = NormScale::Weight);

enum class Activation { Silu, Gelu, GeluTanh, Relu, NewGelu, QuickGelu };
ValueId activate(Network& net, ValueId x, Activation activation);
// The same in a module of its own.
ValueId activationLayer(Network& net, const std::string& path, const std::string& className, ValueId x,
                        Activation activation);

// [count], 10000^-(i / count): of the waves that tell steps of diffusion apart. In 32 bits.
ValueId waveFrequencies(Network& net, std::int64_t count);

// Cosines and sines of positions 0, 1, ..., [1, time, width] each.
struct RotaryTables
{
    ValueId cosines;
    ValueId sines;
};
enum class RotaryStretch {
    LongWaves, // as Llama 3.1 has it
    AllWaves,  // as Gemma 3 has it
    Yarn,      // arXiv:2309.00071, as DeepSeek-V3 has it
};
struct RotaryPositions
{
    std::int64_t width = 64; // of what is turned
    double base = 10000;
    double factor = 1; // waves are so much longer
    RotaryStretch stretch = RotaryStretch::LongWaves;
    std::string className;
    std::string frequencies = "inv_freq"; // name of the buffer
};
RotaryTables rotaryTables(Network& net, const std::string& path, const SymInt& time,
                          const RotaryPositions& positions);
// x, [batch, heads, time, width], turned by halves.
ValueId turned(Network& net, ValueId x, ValueId cosines, ValueId sines);

// Heads attend to keys and values of their group.
struct AttentionShape
{
    std::int64_t heads = 1;
    std::int64_t keyHeads = 1;
    std::int64_t headWidth = 64;
};

// Gate, up and down, without biases.
struct GatedFeedForward
{
    std::int64_t width = 0; // inside
    Activation activation = Activation::Silu;
    std::string activationClass = "transformers.activations.SiLUActivation";
};
ValueId gatedFeedForward(Network& net, const std::string& path, const std::string& className, ValueId x,
                         const GatedFeedForward& shape);

// What a router decided: for each token `chosen` experts and their weights.
struct Routing
{
    ValueId weights; // [tokens, chosen]
    ValueId experts; // [tokens, chosen]
};
struct ExpertsShape
{
    std::int64_t experts = 1;
    std::int64_t chosen = 1;
    std::int64_t width = 0; // inside each
};
// Tokens sorted by expert, two grouped products, and back: x is [tokens, width].
ValueId expertsLayer(Network& net, const std::string& path, const std::string& className, ValueId x,
                     const Routing& routing, const ExpertsShape& shape);

} // namespace stagecraft
