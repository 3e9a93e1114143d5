// Writes tensors as a safetensors file: a JSON header, then the bytes, row-major, little-endian.
// Format: https://github.com/huggingface/safetensors
#pragma once

#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/load/weight_store.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// What every file of ours says of itself, as the safetensors library wants it of PyTorch's.
inline std::map<std::string, std::string> safetensorsMetadata()
{
    return {{"format", "pt"}};
}

struct NamedTensor
{
    std::string name;
    StoredTensor tensor; // with data
    // The tensor that this is a second name of: only the metadata say so, as the format has no shared data.
    std::string aliasOf = {};
};

// How many bytes a file has of it: none for a second name.
std::size_t dataSize(const NamedTensor& tensor);

// The header as it stands at the start of the file: eight bytes of length, then JSON padded with spaces.
// Element types that the format has no name for are in the metadata (safetensorsTypesKey).
std::string safetensorsHeader(const std::vector<NamedTensor>& tensors,
                              const std::map<std::string, std::string>& metadata);
// The size of the whole file.
std::size_t safetensorsSize(const std::vector<NamedTensor>& tensors,
                            const std::map<std::string, std::string>& metadata);
// Header and data; one tensor's worth of memory at most, and none for tensors that lie row-major in the
// store.
Result<void> writeSafetensors(OutputFile& file, const std::vector<NamedTensor>& tensors,
                              const std::map<std::string, std::string>& metadata, const Progress& progress);

// The elements of `tensor` in row-major order: its own bytes where they lie so already, else copied to
// `scratch`.
std::span<const std::byte> rowMajorBytes(const StoredTensor& tensor, std::vector<std::byte>& scratch);

} // namespace stagecraft
