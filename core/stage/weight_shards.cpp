#include "core/stage/weight_shards.h"

#include "core/load/weight_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>

namespace stagecraft {

namespace {

// Which shard each tensor is in.
std::vector<std::size_t> placesOf(const std::vector<NamedTensor>& tensors, Bytes most)
{
    std::vector<std::size_t> places;
    std::map<std::string, std::size_t> placeOf;
    std::size_t place = 0;
    Bytes filled;
    for (const NamedTensor& tensor : tensors) {
        const Bytes size(static_cast<std::int64_t>(dataSize(tensor)));
        if (filled.count() > 0 && (filled + size).count() > most.count()) {
            ++place;
            filled = {};
        }
        filled += size;
        places.push_back(place);
        placeOf[tensor.name] = place;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (const auto home = placeOf.find(tensors[i].aliasOf); home != placeOf.end())
            places[i] = home->second;
    return places;
}

std::string indexText(const std::vector<WeightShard>& shards)
{
    std::int64_t total = 0;
    nlohmann::ordered_json map = nlohmann::ordered_json::object();
    for (const WeightShard& shard : shards)
        for (const NamedTensor& tensor : shard.tensors) {
            total += static_cast<std::int64_t>(dataSize(tensor));
            if (tensor.aliasOf.empty())
                map[tensor.name] = shard.file;
        }
    const nlohmann::ordered_json index{{"metadata", {{"total_size", total}}}, {"weight_map", std::move(map)}};
    return index.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace

std::string shardFileName(const std::string& stem, std::size_t number, std::size_t count)
{
    std::array<char, 64> numbers{};
    std::snprintf(numbers.data(), numbers.size(), "-%05zu-of-%05zu.safetensors", number, count);
    return stem + numbers.data();
}

void sortForFile(std::vector<NamedTensor>& tensors)
{
    std::ranges::stable_sort(tensors, std::greater(),
                             [](const NamedTensor& tensor) { return itemSize(tensor.tensor.meta.dtype); });
}

ShardedWeights inShards(const std::string& stem, std::vector<NamedTensor> tensors, Bytes most)
{
    const std::vector<std::size_t> places = placesOf(tensors, most);
    const std::size_t count = tensors.empty() ? 1 : std::ranges::max(places) + 1;
    ShardedWeights weights{.shards = std::vector<WeightShard>(count), .indexFile = {}, .index = {}};
    for (std::size_t i = 0; i < tensors.size(); ++i)
        weights.shards[places[i]].tensors.push_back(std::move(tensors[i]));
    if (count == 1) {
        weights.shards.front().file = stem + ".safetensors";
        return weights;
    }
    for (std::size_t i = 0; i < count; ++i)
        weights.shards[i].file = shardFileName(stem, i + 1, count);
    weights.indexFile = stem + shardIndexEnding;
    weights.index = indexText(weights.shards);
    return weights;
}

} // namespace stagecraft
