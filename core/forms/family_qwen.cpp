#include "core/forms/decoder_family.h"
#include "core/forms/families.h"

namespace stagecraft {

namespace {

std::vector<FormPreset> qwen2Presets()
{
    return {
        weightsPreset("qwen2.5-7b", "Qwen2.5 7B", {}, 7615616512),
        weightsPreset("qwen2.5-0.5b", "Qwen2.5 0.5B",
                      {{"width", 896},
                       {"layers", 24},
                       {"heads", 14},
                       {"key-heads", 2},
                       {"head-width", 64},
                       {"inner", 4864},
                       {"vocabulary", 151936},
                       {"tied", 1}},
                      494032768),
        weightsPreset("qwen2.5-1.5b", "Qwen2.5 1.5B",
                      {{"width", 1536},
                       {"heads", 12},
                       {"key-heads", 2},
                       {"inner", 8960},
                       {"vocabulary", 151936},
                       {"tied", 1}},
                      1543714304),
        weightsPreset("qwen2.5-3b", "Qwen2.5 3B",
                      {{"width", 2048},
                       {"layers", 36},
                       {"heads", 16},
                       {"key-heads", 2},
                       {"inner", 11008},
                       {"vocabulary", 151936},
                       {"tied", 1}},
                      3085938688),
        weightsPreset("qwen2.5-14b", "Qwen2.5 14B",
                      {{"width", 5120},
                       {"layers", 48},
                       {"heads", 40},
                       {"key-heads", 8},
                       {"inner", 13824},
                       {"epsilon", 5}},
                      14770033664),
        weightsPreset("qwen2.5-32b", "Qwen2.5 32B",
                      {{"width", 5120},
                       {"layers", 64},
                       {"heads", 40},
                       {"key-heads", 8},
                       {"inner", 27648},
                       {"epsilon", 5}},
                      32763876352),
        weightsPreset("qwen2.5-72b", "Qwen2.5 72B",
                      {{"width", 8192}, {"layers", 80}, {"heads", 64}, {"key-heads", 8}, {"inner", 29568}},
                      72706203648),
    };
}

std::vector<FormPreset> qwen3Presets()
{
    return {
        weightsPreset("qwen3-8b", "Qwen3 8B", {}, 8190735360),
        weightsPreset("qwen3-0.6b", "Qwen3 0.6B",
                      {{"width", 1024}, {"layers", 28}, {"heads", 16}, {"inner", 3072}, {"tied", 1}},
                      596049920),
        weightsPreset("qwen3-1.7b", "Qwen3 1.7B",
                      {{"width", 2048}, {"layers", 28}, {"heads", 16}, {"inner", 6144}, {"tied", 1}},
                      1720574976),
        weightsPreset("qwen3-4b", "Qwen3 4B", {{"width", 2560}, {"inner", 9728}, {"tied", 1}}, 4022468096),
        weightsPreset("qwen3-14b", "Qwen3 14B",
                      {{"width", 5120}, {"layers", 40}, {"heads", 40}, {"inner", 17408}}, 14768307200),
        weightsPreset("qwen3-32b", "Qwen3 32B",
                      {{"width", 5120}, {"layers", 64}, {"heads", 64}, {"inner", 25600}}, 32762123264)};
}

} // namespace

FormFamily qwen2Family()
{
    return formFamily(
        {.name = "qwen2",
         .title = "Qwen2.5",
         .summary = "Qwen2 and Qwen2.5: as Llama, with biases of queries, keys and values",
         .names = {"transformers.models.qwen2.modeling_qwen2.", "Qwen2"},
         .parameters = joined({decoderParameters({.width = 3584,
                                                  .layers = 28,
                                                  .heads = 28,
                                                  .keyHeads = 4,
                                                  .headWidth = 128,
                                                  .inner = 18944,
                                                  .vocabulary = 152064}),
                               {rotaryBaseParameter(1000000), tiedParameter(false), epsilonParameter(6)},
                               sequenceParameters(1, 4096)}),
         .presets = qwen2Presets(),
         .bias = HasBias::Yes});
}

FormFamily qwen3Family()
{
    return formFamily(
        {.name = "qwen3",
         .title = "Qwen3",
         .summary = "Qwen3: as Llama, with norms of queries and keys",
         .names = {"transformers.models.qwen3.modeling_qwen3.", "Qwen3"},
         .parameters = joined({decoderParameters({.width = 4096,
                                                  .layers = 36,
                                                  .heads = 32,
                                                  .keyHeads = 8,
                                                  .headWidth = 128,
                                                  .inner = 12288,
                                                  .vocabulary = 151936}),
                               {rotaryBaseParameter(1000000), tiedParameter(false), epsilonParameter(6)},
                               sequenceParameters(1, 4096)}),
         .presets = qwen3Presets(),
         .headNorms = HeadNorms::BeforeTranspose});
}

FormFamily qwen3ExpertsFamily()
{
    return formFamily(
        {.name = "qwen3-moe",
         .title = "Qwen3 MoE",
         .summary = "Qwen3 with experts in the place of the feed-forward",
         .names = {"transformers.models.qwen3_moe.modeling_qwen3_moe.", "Qwen3Moe"},
         .parameters = joined({decoderParameters({.width = 2048,
                                                  .layers = 48,
                                                  .heads = 32,
                                                  .keyHeads = 4,
                                                  .headWidth = 128,
                                                  .inner = 768,
                                                  .vocabulary = 151936}),
                               expertsParameters(128, 8),
                               {rotaryBaseParameter(1000000), tiedParameter(false), epsilonParameter(6)},
                               sequenceParameters(1, 4096)}),
         .presets = {weightsPreset("qwen3-30b-a3b", "Qwen3 30B-A3B", {}, 30532122624),
                     weightsPreset("qwen3-235b-a22b", "Qwen3 235B-A22B",
                                   {{"width", 4096}, {"layers", 94}, {"heads", 64}, {"inner", 1536}},
                                   235093634560)},
         .headNorms = HeadNorms::BeforeTranspose,
         .routerWeights = RouterWeights::OfModelsType});
}

} // namespace stagecraft
