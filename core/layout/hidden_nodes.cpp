#include "core/layout/hidden_nodes.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Made from nothing but weights: a counter of batches, a constant turned round.
bool readsOnlyWeights(const Graph& graph, const Node& node)
{
    return std::ranges::all_of(node.inputs, [&](ValueId input) { return graph[input].isStored(); });
}

bool isHiddenNode(const Graph& graph, const Node& node, const Table<NodeId, char>& hidden)
{
    for (const ValueId result : node.results) {
        if (std::ranges::any_of(graph[result].users, [&](NodeId user) { return hidden[user] == 0; }))
            return false;
        if (graph.isOutput(result) && !readsOnlyWeights(graph, node))
            return false;
    }
    return true;
}

} // namespace

Table<NodeId, char> hiddenNodes(const Graph& graph)
{
    Table<NodeId, char> hidden(graph.nodeCount(), 0);
    for (std::size_t i = graph.nodeCount(); i-- > 0;)
        hidden[NodeId(i)] = isHiddenNode(graph, graph[NodeId(i)], hidden) ? 1 : 0;
    if (std::ranges::all_of(hidden, [](char isHidden) { return isHidden != 0; }))
        return Table<NodeId, char>(graph.nodeCount(), 0);
    return hidden;
}

} // namespace stagecraft
