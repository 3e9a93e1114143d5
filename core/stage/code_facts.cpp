#include "core/stage/code_facts.h"

#include "core/load/operator_schema.h"
#include "core/stage/python_body.h"

#include <algorithm>
#include <string_view>

namespace stagecraft {

namespace {

bool hasControlFlow(const Node& node)
{
    const auto isWithin = [](const std::shared_ptr<const Graph>& inner) {
        return std::ranges::any_of(inner->nodes(), [&](NodeId id) { return hasControlFlow((*inner)[id]); });
    };
    return isControlFlow(node) || std::ranges::any_of(node.subgraphs, isWithin);
}

} // namespace

CodeFacts codeFacts(const Model& model)
{
    const Graph& graph = model.graph;
    OperatorSchemas schemas;
    CodeFacts facts{.scope = pythonScope(graph, schemas),
                    .unknown = unknownOperators(graph),
                    .kinds = nodeKinds(graph),
                    .interface = modelInterface(model),
                    .placed = {},
                    .stored = {},
                    .hasControlFlow = Table<NodeId, char>(graph.nodeCount(), 0)};
    for (const ValueId value : graph.values()) {
        if (!graph[value].isStored())
            continue;
        if (graph[value].meta)
            facts.placed.emplace(value, placedTensor(model, value));
        facts.stored.take(std::string_view(graph[value].target).substr(0, graph[value].target.find('.')));
    }
    for (const NodeId node : graph.nodes())
        facts.hasControlFlow[node] = hasControlFlow(graph[node]) ? 1 : 0;
    return facts;
}

} // namespace stagecraft
