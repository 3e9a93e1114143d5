// Safetensors: 8 bytes of length, a JSON header, tensors without gaps. Reading gives windows into the file.
#pragma once

#include "core/base/result.h"
#include "core/load/model.h"

#include <filesystem>
#include <vector>

namespace stagecraft {

// "F32", "BF16", "BOOL": the format's names of element types. Empty, or none, where it has no such type.
std::string_view safetensorsName(DType dtype);
std::optional<DType> dtypeFromSafetensors(std::string_view name);

// All tensors of the shards by name. Fails, naming the file, where a header is damaged, offsets overlap,
// leave gaps or reach beyond the file, or two shards have a tensor of one name.
Result<WeightStore> readSafetensors(const std::vector<std::filesystem::path>& files);

// Gives a structure-only model its weights: each parameter, buffer and constant takes the tensor of its name,
// and where there is none, that of another name of the same (tied) parameter. Constants and buffers that are
// in no file stay without data. Fails, naming the tensor, where shape or element type differ, or a parameter
// is in no file; `model` is unchanged then.
Result<void> attachWeights(Model& model, const std::vector<std::filesystem::path>& files);

} // namespace stagecraft
