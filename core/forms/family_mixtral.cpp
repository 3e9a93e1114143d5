#include "core/forms/decoder_family.h"
#include "core/forms/families.h"

namespace stagecraft {

FormFamily mixtralFamily()
{
    return formFamily(
        {.name = "mixtral",
         .title = "Mixtral",
         .summary = "Mixtral: as Llama, with experts in the place of the feed-forward",
         .names = {"transformers.models.mixtral.modeling_mixtral.", "Mixtral"},
         .parameters = joined({decoderParameters({.width = 4096,
                                                  .layers = 32,
                                                  .heads = 32,
                                                  .keyHeads = 8,
                                                  .headWidth = 128,
                                                  .inner = 14336,
                                                  .vocabulary = 32000}),
                               expertsParameters(8, 2),
                               {rotaryBaseParameter(1000000), epsilonParameter(5)},
                               sequenceParameters(1, 4096)}),
         .presets = {
             weightsPreset("mixtral-8x7b", "Mixtral 8x7B", {}, 46702792704),
             weightsPreset(
                 "mixtral-8x22b", "Mixtral 8x22B",
                 {{"width", 6144}, {"layers", 56}, {"heads", 48}, {"inner", 16384}, {"vocabulary", 32768}},
                 140630071296)}});
}

} // namespace stagecraft
