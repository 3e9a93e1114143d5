#include "core/forms/decoder_family.h"
#include "core/forms/families.h"

namespace stagecraft {

namespace {

// Layers with a window, and after so many one that sees everything; what queries are scaled by.
std::vector<FormParameter> windowParameters(std::int64_t window, std::int64_t wholeEvery)
{
    return {{"window", "Window of most layers", "tokens", 1, 1 << 24, window, {}},
            countParameter("whole-every", "Every so many layers one sees everything", wholeEvery, 1, 10000),
            countParameter("query-scale", "Queries are divided by the root of", 256)};
}

FormPreset gemma3Preset(const std::string& name, const std::string& title,
                        std::vector<std::pair<std::string, std::int64_t>> values, std::int64_t parameters)
{
    values.insert(values.end(), {{"vocabulary", 262208}, {"window", 1024}, {"rope-factor", 8}});
    return {name, title, std::move(values), parameters,
            "the language model's tensors of the published weights, which have a vision tower beside it"};
}

} // namespace

FormFamily gemma2Family()
{
    return formFamily(
        {.name = "gemma2",
         .title = "Gemma 2",
         .summary = "Gemma 2: norms before and after, limits on scores and logits, a window in every second "
                    "layer",
         .names = {"transformers.models.gemma2.modeling_gemma2.", "Gemma2"},
         .parameters = joined({decoderParameters({.width = 2304,
                                                  .layers = 26,
                                                  .heads = 8,
                                                  .keyHeads = 4,
                                                  .headWidth = 256,
                                                  .inner = 9216,
                                                  .vocabulary = 256000}),
                               windowParameters(4096, 2),
                               {rotaryBaseParameter(10000), tiedParameter(true), epsilonParameter(6)},
                               sequenceParameters(1, 4096)}),
         .presets = {weightsPreset("gemma-2-2b", "Gemma 2 2B", {}, 2614341888),
                     weightsPreset(
                         "gemma-2-9b", "Gemma 2 9B",
                         {{"width", 3584}, {"layers", 42}, {"heads", 16}, {"key-heads", 8}, {"inner", 14336}},
                         9241705984),
                     weightsPreset("gemma-2-27b", "Gemma 2 27B",
                                   {{"width", 4608},
                                    {"layers", 46},
                                    {"heads", 32},
                                    {"key-heads", 16},
                                    {"head-width", 128},
                                    {"inner", 36864},
                                    {"query-scale", 144}},
                                   27227128320)},
         .isGemma = true,
         .scoreLimit = 50.0,
         .logitLimit = 30.0});
}

FormFamily gemma3Family()
{
    return formFamily(
        {.name = "gemma3",
         .title = "Gemma 3",
         .summary = "Gemma 3: norms before and after and of queries and keys, a window in five of six layers",
         .names = {"transformers.models.gemma3.modeling_gemma3.", "Gemma3"},
         .parameters = joined(
             {decoderParameters({.width = 1152,
                                 .layers = 26,
                                 .heads = 4,
                                 .keyHeads = 1,
                                 .headWidth = 256,
                                 .inner = 6912,
                                 .vocabulary = 262144}),
              windowParameters(512, 6),
              {rotaryBaseParameter(1000000),
               countParameter("rope-base-window", "Base of rotary positions in windows", 10000, 1, 1 << 30),
               rotaryFactorParameter(), tiedParameter(true), epsilonParameter(6)},
              sequenceParameters(1, 4096)}),
         .presets = {weightsPreset("gemma-3-1b", "Gemma 3 1B", {}, 999885952),
                     gemma3Preset(
                         "gemma-3-4b", "Gemma 3 4B, text",
                         {{"width", 2560}, {"layers", 34}, {"heads", 8}, {"key-heads", 4}, {"inner", 10240}},
                         3880263168),
                     gemma3Preset(
                         "gemma-3-12b", "Gemma 3 12B, text",
                         {{"width", 3840}, {"layers", 48}, {"heads", 16}, {"key-heads", 8}, {"inner", 15360}},
                         11766034176),
                     gemma3Preset("gemma-3-27b", "Gemma 3 27B, text",
                                  {{"width", 5376},
                                   {"layers", 62},
                                   {"heads", 32},
                                   {"key-heads", 16},
                                   {"head-width", 128},
                                   {"inner", 21504},
                                   {"query-scale", 168}},
                                  27009346304)},
         .headNorms = HeadNorms::AfterTranspose,
         .stretch = RotaryStretch::AllWaves,
         .isGemma = true});
}

} // namespace stagecraft
