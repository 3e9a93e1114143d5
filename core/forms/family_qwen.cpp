#include "core/forms/decoder.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

namespace stagecraft {

namespace {

const LibraryNames names{"transformers.models.qwen3.modeling_qwen3.", "Qwen3"};

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
                                    .className = names.of("RotaryEmbedding")};
    const RotaryAttention attention{.shape = {values["heads"], values["key-heads"], values["head-width"]},
                                    .hasHeadNorms = true,
                                    .epsilon = epsilonOf(values),
                                    .normClass = names.of("RMSNorm")};
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

FormPreset preset(const std::string& name, const std::string& title,
                  std::vector<std::pair<std::string, std::int64_t>> values, std::int64_t parameters)
{
    return {name, title, std::move(values), parameters, "tensors of the published weights"};
}

} // namespace

FormFamily qwenFamily()
{
    return {
        .name = "qwen3",
        .title = "Qwen3",
        .summary = "Qwen3: as Llama, with norms of queries and keys",
        .rootClass = names.of("ForCausalLM"),
        .parameters =
            joined({decoderParameters({.width = 4096,
                                       .layers = 36,
                                       .heads = 32,
                                       .keyHeads = 8,
                                       .headWidth = 128,
                                       .inner = 12288,
                                       .vocabulary = 151936}),
                    {countParameter("rope-base", "Base of rotary positions", 1000000, 1, 1 << 30),
                     yesNoParameter("tied", "Embeddings tied to the head", false), epsilonParameter(6)},
                    sequenceParameters(1, 4096),
                    {dtypeParameter(UsualType::BF16)}}),
        .presets = {preset("qwen3-8b", "Qwen3 8B", {}, 8190735360),
                    preset("qwen3-0.6b", "Qwen3 0.6B",
                           {{"width", 1024}, {"layers", 28}, {"heads", 16}, {"inner", 3072}, {"tied", 1}},
                           596049920),
                    preset("qwen3-1.7b", "Qwen3 1.7B",
                           {{"width", 2048}, {"layers", 28}, {"heads", 16}, {"inner", 6144}, {"tied", 1}},
                           1720574976),
                    preset("qwen3-4b", "Qwen3 4B", {{"width", 2560}, {"inner", 9728}, {"tied", 1}},
                           4022468096),
                    preset("qwen3-14b", "Qwen3 14B",
                           {{"width", 5120}, {"layers", 40}, {"heads", 40}, {"inner", 17408}}, 14768307200),
                    preset("qwen3-32b", "Qwen3 32B",
                           {{"width", 5120}, {"layers", 64}, {"heads", 64}, {"inner", 25600}}, 32762123264)},
        .check = check,
        .write = write};
}

} // namespace stagecraft
