#include "core/chain_partition.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

// Which nodes of its link are before a place.
std::vector<char> insideOf(const ModelChain& chain, const ChainPlace& place)
{
    if (!place.isSpan)
        return place.inside;
    std::vector<char> inside;
    double seconds = 0;
    for (const NodeId node : chain.links[place.link]) {
        seconds += chain.nodes[node].seconds;
        inside.push_back(seconds <= (place.least + place.most) / 2 ? 1 : 0);
    }
    return inside;
}

using StageOfNode = Table<NodeId, std::optional<StageId>>;

// Of who has none, that of the first that reads it.
void placeFloats(const PartitionProblem& problem, StageOfNode& stageOf)
{
    Table<NodeId, std::vector<const ProblemValue*>> makes(stageOf.size());
    for (const ProblemValue& value : problem.values)
        makes[value.producer].push_back(&value);
    for (std::size_t i = stageOf.size(); i-- > 0;) { // readers first
        const NodeId node(i);
        if (stageOf[node])
            continue;
        for (const ProblemValue* const value : makes[node])
            for (const NodeId reader : value->readers)
                if (stageOf[reader] && (!stageOf[node] || *stageOf[reader] < *stageOf[node]))
                    stageOf[node] = stageOf[reader];
    }
}

// Who reads comes no earlier, and who must share a stage does: both in the later one.
void makeLegal(const PartitionProblem& problem, Partition& partition)
{
    Table<NodeId, StageId>& stageOf = partition.stageOf;
    bool changed = true;
    const auto notBefore = [&](NodeId node, StageId stage) {
        if (stageOf[node] < stage) {
            stageOf[node] = stage;
            changed = true;
        }
    };
    while (std::exchange(changed, false)) {
        for (const ProblemValue& value : problem.values)
            for (const NodeId reader : value.readers)
                notBefore(reader, stageOf[value.producer]);
        for (const Colocation& group : problem.groups) {
            StageId last(0);
            for (const NodeId node : group.nodes)
                last = std::max(last, stageOf[node]);
            for (const NodeId node : group.nodes)
                notBefore(node, last);
        }
    }
}

} // namespace

Partition partitionAt(const PartitionProblem& problem, const ModelChain& chain,
                      std::span<const std::size_t> ends)
{
    StageOfNode stageOf(problem.nodes.size());
    for (std::size_t stage = ends.size(); stage-- > 0;) {
        const ChainPlace& end = chain.places[ends[stage]];
        for (std::size_t link = 0; link < end.link; ++link)
            for (const NodeId node : chain.links[link])
                stageOf[node] = StageId(stage);
        if (const std::vector<char> inside = insideOf(chain, end); !inside.empty())
            for (std::size_t i = 0; i < inside.size(); ++i)
                if (inside[i] != 0)
                    stageOf[chain.links[end.link][i]] = StageId(stage);
    }
    placeFloats(problem, stageOf);
    Partition partition{ends.size(), Table<NodeId, StageId>(stageOf.size(), StageId(0))};
    for (const NodeId node : stageOf.ids())
        partition.stageOf[node] = stageOf[node].value_or(StageId(0));
    makeLegal(problem, partition);
    return partition;
}

} // namespace stagecraft
