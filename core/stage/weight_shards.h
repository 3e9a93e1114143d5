// Weights in shards: tensors spread over safetensors files of at most a size, with an index, in the form of
// Hugging Face's Hub, whose libraries read them.
//
//     stage_0.safetensors.index.json         {"metadata": {"total_size": 12}, "weight_map": {NAME: FILE}}
//     stage_0-00001-of-00002.safetensors
//     stage_0-00002-of-00002.safetensors
#pragma once

#include "core/base/quantities.h"
#include "core/stage/safetensors_writer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace stagecraft {

// The Hub's own.
inline constexpr Bytes usualShardSize(std::int64_t{5'000'000'000});

struct WeightShard
{
    std::string file; // "model-00001-of-00002.safetensors"
    std::vector<NamedTensor> tensors;
};

struct ShardedWeights
{
    std::vector<WeightShard> shards; // at least one
    std::string indexFile;           // empty: there is one file, and no index
    std::string index;               // its text

    // The one to open.
    const std::string& entry() const { return indexFile.empty() ? shards.front().file : indexFile; }
};

// Tensors in their order, as many to a file as hold `most` bytes; one that is larger has a file of its own.
// Another name of a tensor goes with it. Where one file is enough it is `stem`.safetensors.
ShardedWeights inShards(const std::string& stem, std::vector<NamedTensor> tensors, Bytes most);

// "stage_0-00002-of-00003.safetensors"; numbers from 1.
std::string shardFileName(const std::string& stem, std::size_t number, std::size_t count);

// Wide types first, so that every tensor starts at a multiple of its item size; else as they are.
void sortForFile(std::vector<NamedTensor>& tensors);

} // namespace stagecraft
