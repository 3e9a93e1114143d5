#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

namespace stagecraft {

namespace {

const LibraryNames names{"transformers.models.llama.modeling_llama.", "Llama"};

void write(Network& net, const FormValues& values)
{
    const DecoderShape shape{.names = names,
                             .vocabulary = values["vocabulary"],
                             .width = values["width"],
                             .layers = values["layers"],
                             .epsilon = epsilonOf(values),
                             .isTied = values["tied"] == 1};
    const RotaryPositions positions{.width = values["head-width"],
                                    .base = static_cast<double>(values["rope-base"]),
                                    .scaling = {.factor = static_cast<double>(values["rope-factor"])},
                                    .className = names.of("RotaryEmbedding")};
    const RotaryAttention attention{.shape = {values["heads"], values["key-heads"], values["head-width"]}};
    const GatedFeedForward inner{.width = values["inner"]};
    std::optional<RotaryTables> rotary;
    const DecoderParts parts{.prepare =
                                 [&](Network& here, const LayerPlace& place) {
                                     rotary = rotaryTables(here, "rotary_emb", place.time, positions);
                                 },
                             .attention =
                                 [&](Network& here, ValueId x, const LayerPlace& place) {
                                     return rotaryAttention(here, names.of("Attention"), attention, *rotary,
                                                            {}, x, place);
                                 },
                             .feedForward =
                                 [&](Network& here, ValueId x, const LayerPlace&) {
                                     return gatedFeedForward(here, "mlp", names.of("MLP"), x, inner);
                                 }};
    writeCausalModel(net, shape, parts, values);
}

Result<void> check(const FormValues& values)
{
    STAGECRAFT_TRY(divides(values, "key-heads", "heads"));
    return evenHeadWidth(values);
}

using Values = std::vector<std::pair<std::string, std::int64_t>>;

// Heads are 128 wide unless it says otherwise.
FormPreset preset(const std::string& name, const std::string& title, Values values, std::int64_t parameters)
{
    return {name, title, std::move(values), parameters, "tensors of the published weights"};
}

std::vector<FormPreset> presets()
{
    const auto llama3 = [](Values values) {
        values.insert(values.end(), {{"vocabulary", 128256}, {"rope-base", 500000}});
        return values;
    };
    const auto llama31 = [&](Values values) {
        values.emplace_back("rope-factor", 8);
        return llama3(std::move(values));
    };
    const auto small = [&](Values values) {
        values.insert(values.end(), {{"tied", 1}, {"rope-factor", 32}});
        return llama3(std::move(values));
    };
    const Values seventy{{"width", 8192}, {"layers", 80}, {"heads", 64}, {"inner", 28672}};
    Values two70 = seventy;
    two70.emplace_back("vocabulary", 32000);
    return {
        preset("llama-3-8b", "Llama 3 8B", llama3({}), 8030261248),
        preset("llama-3-70b", "Llama 3 70B", llama3(seventy), 70553706496),
        preset("llama-3.1-405b", "Llama 3.1 405B",
               llama31({{"width", 16384}, {"layers", 126}, {"heads", 128}, {"inner", 53248}}), 405853388800),
        preset("llama-3.2-1b", "Llama 3.2 1B",
               small({{"width", 2048}, {"layers", 16}, {"head-width", 64}, {"inner", 8192}}), 1235814400),
        preset("llama-3.2-3b", "Llama 3.2 3B",
               small({{"width", 3072}, {"layers", 28}, {"heads", 24}, {"inner", 8192}}), 3212749824),
        preset("llama-2-7b", "Llama 2 7B", {{"vocabulary", 32000}, {"key-heads", 32}, {"inner", 11008}},
               6738415616),
        preset("llama-2-13b", "Llama 2 13B",
               {{"vocabulary", 32000},
                {"width", 5120},
                {"layers", 40},
                {"heads", 40},
                {"key-heads", 40},
                {"inner", 13824}},
               13015864320),
        preset("llama-2-70b", "Llama 2 70B", two70, 68976648192),
    };
}

} // namespace

FormFamily llamaFamily()
{
    return {.name = "llama",
            .title = "Llama",
            .summary = "Llama: grouped query attention, gated feed-forward (SwiGLU), RMS norms, rotary "
                       "positions",
            .rootClass = names.of("ForCausalLM"),
            .parameters =
                joined({decoderParameters({.width = 4096,
                                           .layers = 32,
                                           .heads = 32,
                                           .keyHeads = 8,
                                           .headWidth = 128,
                                           .inner = 14336,
                                           .vocabulary = 128256}),
                        {countParameter("rope-base", "Base of rotary positions", 10000, 1, 1 << 30),
                         countParameter("rope-factor", "Positions are stretched by", 1, 1, 1024),
                         yesNoParameter("tied", "Embeddings tied to the head", false), epsilonParameter(5)},
                        sequenceParameters(1, 4096),
                        {dtypeParameter(UsualType::BF16)}}),
            .presets = presets(),
            .check = check,
            .write = write};
}

} // namespace stagecraft
