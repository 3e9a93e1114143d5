#include "core/layout/bookkeeping.h"

#include <algorithm>

namespace stagecraft {

namespace {

bool isWholeNumbers(const Value& value)
{
    return !value.meta || !isDifferentiable(value.meta->dtype);
}

} // namespace

Table<NodeId, char> bookkeepingNodes(const Graph& graph)
{
    Table<NodeId, char> marks(graph.nodeCount(), 0);
    const auto isKnownBefore = [&](ValueId input) {
        const Value& value = graph[input];
        if (value.producer)
            return marks[*value.producer] != 0;
        return value.kind == ValueKind::UserInput ? isWholeNumbers(value)
                                                  : value.kind != ValueKind::Parameter;
    };
    std::size_t count = 0;
    for (const NodeId node : graph.nodes()) {
        marks[node] = std::ranges::all_of(graph[node].inputs, isKnownBefore) ? 1 : 0;
        count += marks[node] != 0 ? 1 : 0;
    }
    return 2 * count > graph.nodeCount() ? Table<NodeId, char>(graph.nodeCount(), 0) : marks;
}

} // namespace stagecraft
