// Weights in as many files as they need: a checkpoint in shards has an index that tells which tensor is in
// which, "model.safetensors.index.json" beside "model-00001-of-00003.safetensors", as on Hugging Face's Hub.
#pragma once

#include "core/base/result.h"
#include "core/load/weight_store.h"

#include <filesystem>
#include <vector>

namespace stagecraft {

// How the names of indices end: ".safetensors.index.json".
inline constexpr const char* shardIndexEnding = ".safetensors.index.json";

// All tensors of `files`: each a safetensors file, a state dict of torch.save (state_dict.h), or the index
// (*.json) of a checkpoint in shards of either. Fails as readSafetensors() and addStateDict() do, and, naming
// index and tensor, where an index and its shards disagree: a tensor that is listed twice, is not in its
// shard, or is in a shard and not listed; where a shard's name leads out of the index's folder.
Result<WeightStore> readWeights(const std::vector<std::filesystem::path>& files);

} // namespace stagecraft
