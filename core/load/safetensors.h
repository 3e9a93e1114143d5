// Safetensors: 8 bytes of length, a JSON header, tensors without gaps. Reading gives windows into the file.
#pragma once

#include "core/base/result.h"
#include "core/load/model.h"
#include "core/load/zip_archive.h"

#include <filesystem>
#include <vector>

namespace stagecraft {

// How elements of a type are stored. What the format has no name for goes under another type of the same
// bytes: complex numbers of other than 64 bits as pairs of real ones, along one dimension more.
struct SafetensorsType
{
    std::string_view name; // "F32", "BF16", "BOOL"
    bool isNamed = true;   // does the format know it? Else the metadata tells what it is
    bool isPaired = false; // two real numbers an element
};
SafetensorsType safetensorsType(DType dtype);

// The metadata's entry for types that the format has no name for: a JSON text, {"inv": "complex128"}.
inline constexpr std::string_view safetensorsTypesKey = "stagecraft.dtypes";

// Adds the tensors of one file to `weights`. Fails as readSafetensors() does, without the name of the file.
Result<void> addSafetensors(const OwnedBytes& file, WeightStore& weights);

// All tensors of the shards by name; where the metadata say {"head.weight": "embed.weight"}, also the second
// names of tied tensors. Fails, naming the file, where a header is damaged, offsets overlap,
// leave gaps or reach beyond the file, or two shards have a tensor of one name.
Result<WeightStore> readSafetensors(const std::vector<std::filesystem::path>& files);

} // namespace stagecraft
