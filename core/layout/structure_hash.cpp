#include "core/layout/structure_hash.h"

#include "core/base/hashing.h"

#include <algorithm>
#include <unordered_map>

namespace stagecraft {

namespace {

std::uint64_t hashMeta(const Value& value)
{
    return value.meta ? hashText(metaText(*value.meta)) : static_cast<std::uint64_t>(value.kind);
}

} // namespace

std::uint64_t hashOperator(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    std::uint64_t hash = hashText(node.target);
    for (const ValueId result : node.results)
        hash = combineHash(hash, hashMeta(graph[result]));
    for (const ValueId input : node.inputs)
        if (graph[input].isStored())
            hash = combineHash(hash, hashMeta(graph[input]));
    return hash;
}

std::uint64_t hashEdges(const Graph& graph, std::span<const NodeId> run, std::size_t first,
                        const Table<NodeId, std::size_t>& placeOf)
{
    constexpr std::uint64_t outside = std::uint64_t{1} << 63;
    std::unordered_map<ValueId, std::uint64_t> outsideValues;
    std::uint64_t hash = run.size();
    for (const NodeId node : run) {
        hash = combineHash(hash, graph[node].inputs.size());
        for (const ValueId input : graph[node].inputs) {
            const Value& value = graph[input];
            if (value.isStored())
                continue;
            const std::size_t place = value.producer ? placeOf[*value.producer] : SIZE_MAX;
            if (place < first || place >= first + run.size()) {
                const auto number = outsideValues.try_emplace(input, outsideValues.size()).first->second;
                hash = combineHash(hash, outside + number);
                continue;
            }
            const auto& results = graph[*value.producer].results;
            const auto index = std::ranges::find(results, input) - results.begin();
            hash = combineHash(hash, (place - first) * 64 + static_cast<std::uint64_t>(index));
        }
    }
    return hash;
}

} // namespace stagecraft
