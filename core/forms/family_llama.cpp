#include "core/forms/decoder_family.h"
#include "core/forms/families.h"

namespace stagecraft {

namespace {

using Values = std::vector<std::pair<std::string, std::int64_t>>;

Values withLlama3(Values values)
{
    values.insert(values.end(), {{"vocabulary", 128256}, {"rope-base", 500000}});
    return values;
}

Values withLlama32(Values values)
{
    values.insert(values.end(), {{"tied", 1}, {"rope-factor", 32}});
    return withLlama3(std::move(values));
}

std::vector<FormPreset> llamaPresets()
{
    const Values seventy{{"width", 8192}, {"layers", 80}, {"heads", 64}, {"inner", 28672}};
    Values two70 = seventy;
    two70.emplace_back("vocabulary", 32000);
    return {
        weightsPreset("llama-3-8b", "Llama 3 8B", withLlama3({}), 8030261248),
        weightsPreset("llama-3-70b", "Llama 3 70B", withLlama3(seventy), 70553706496),
        weightsPreset(
            "llama-3.1-405b", "Llama 3.1 405B",
            withLlama3(
                {{"width", 16384}, {"layers", 126}, {"heads", 128}, {"inner", 53248}, {"rope-factor", 8}}),
            405853388800),
        weightsPreset("llama-3.2-1b", "Llama 3.2 1B",
                      withLlama32({{"width", 2048}, {"layers", 16}, {"head-width", 64}, {"inner", 8192}}),
                      1235814400),
        weightsPreset("llama-3.2-3b", "Llama 3.2 3B",
                      withLlama32({{"width", 3072}, {"layers", 28}, {"heads", 24}, {"inner", 8192}}),
                      3212749824),
        weightsPreset("llama-2-7b", "Llama 2 7B",
                      {{"vocabulary", 32000}, {"key-heads", 32}, {"inner", 11008}}, 6738415616),
        weightsPreset("llama-2-13b", "Llama 2 13B",
                      {{"vocabulary", 32000},
                       {"width", 5120},
                       {"layers", 40},
                       {"heads", 40},
                       {"key-heads", 40},
                       {"inner", 13824}},
                      13015864320),
        weightsPreset("llama-2-70b", "Llama 2 70B", two70, 68976648192),
    };
}

} // namespace

FormFamily llamaFamily()
{
    return formFamily({.name = "llama",
                       .title = "Llama",
                       .summary =
                           "Llama: grouped query attention, gated feed-forward (SwiGLU), RMS norms, rotary "
                           "positions",
                       .names = {"transformers.models.llama.modeling_llama.", "Llama"},
                       .parameters = joined({decoderParameters({.width = 4096,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .keyHeads = 8,
                                                                .headWidth = 128,
                                                                .inner = 14336,
                                                                .vocabulary = 128256}),
                                             {rotaryBaseParameter(10000), rotaryFactorParameter(),
                                              tiedParameter(false), epsilonParameter(5)},
                                             sequenceParameters(1, 4096)}),
                       .presets = llamaPresets()});
}

} // namespace stagecraft
