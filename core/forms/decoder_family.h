// DecoderFamily: a family of language models on the skeleton of decoder.h, as data: what its library calls
// things, its parameters and published models, and in what its layers differ from Llama's. The writing and
// the checks are the same for all.
#pragma once

#include "core/forms/decoder.h"
#include "core/forms/family_parameters.h"
#include "core/forms/form.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// What the weights of chosen experts are given on in.
enum class RouterWeights { In32Bits, OfModelsType };

// What a family reads beside words, put among them.
struct ReadBeside
{
    std::string group;      // that the family is shown among
    std::string outerClass; // of what has the decoder in it (decoder.h)
    std::string rootClass;
    std::function<Result<void>(const FormValues&)> check;
    std::function<ValueId(Network&, const FormValues&, ValueId ids, ValueId words, const LayerPlace&)> mixed;
};

// A parameter says what a family has: "tied" embeddings, "rope-factor", "experts" in the place of the
// feed-forward, a "window" of most layers.
struct DecoderFamily
{
    std::string name;
    std::string title;
    std::string summary;
    LibraryNames names;
    std::vector<FormParameter> parameters; // beside "dtype"
    std::vector<FormPreset> presets;
    HasBias bias = HasBias::No; // of queries, keys and values
    HeadNorms headNorms = HeadNorms::None;
    RotaryStretch stretch = RotaryStretch::LongWaves;
    // As Gemma has it: norms before and after with weights around 0, embeddings scaled, token 0 for padding,
    // GELU by tanh.
    bool isGemma = false;
    std::optional<double> scoreLimit;
    std::optional<double> logitLimit;
    RouterWeights routerWeights = RouterWeights::In32Bits;
    std::optional<ReadBeside> beside = {};
};

FormFamily formFamily(DecoderFamily family);

} // namespace stagecraft
