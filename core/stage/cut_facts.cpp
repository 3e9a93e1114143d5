#include "core/stage/cut_facts.h"

#include "core/load/sharing.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Checks return nothing and write nothing: a run without them computes the same.
bool isCheck(const Node& node)
{
    return node.results.empty() &&
           (node.target.starts_with("aten::_assert") || node.target.starts_with("aten::sym_constrain_range"));
}

Table<NodeId, char> optionalNodes(const Graph& graph)
{
    Table<NodeId, char> isOptional(graph.nodeCount(), 0);
    for (std::size_t i = graph.nodeCount(); i-- > 0;) {
        const Node& node = graph[NodeId(i)];
        const auto onlyForChecks = [&](ValueId result) {
            return !graph.isOutput(result) && !graph[result].users.empty() &&
                   std::ranges::all_of(graph[result].users,
                                       [&](NodeId user) { return isOptional[user] != 0; });
        };
        isOptional[NodeId(i)] =
            isCheck(node) || (isArithmetic(graph, node) && std::ranges::all_of(node.results, onlyForChecks));
    }
    return isOptional;
}

void addPlaces(const Graph& graph, CutFacts& facts)
{
    for (const NodeId node : graph.nodes()) {
        for (const ValueId input : graph[node].inputs)
            facts.inputs.add(input.index());
        facts.inputs.close();
        for (const NodeId after : graph.successors(node))
            facts.edges.emplace_back(node, after);
    }
    for (const ValueId value : graph.values()) {
        facts.origins.add({graph[value].kind, graph[value].producer});
        if (facts.separable.contains(value) || facts.storage.members[value].size() > 1)
            facts.writtenSets.push_back(value);
    }
}

} // namespace

bool isArithmetic(const Graph& graph, const Node& node)
{
    return node.subgraphs.empty() && !node.results.empty() &&
           std::ranges::all_of(node.results,
                               [&](ValueId id) { return graph[id].kind == ValueKind::SizeScalar; });
}

CutFacts cutFacts(const Model& model)
{
    const Graph& graph = model.graph;
    CutFacts facts{.storage = findStorageUse(graph),
                   .separable = {},
                   .tiedTo = {},
                   .isOptional = optionalNodes(graph),
                   .readsStorage = Table<NodeId, char>(graph.nodeCount(), 0),
                   .origins = {},
                   .inputs = {},
                   .edges = {},
                   .writtenSets = {}};
    facts.separable = separableStorage(graph, facts.storage);
    for (const ParameterGroup& group : parameterGroups(model))
        for (const ValueId parameter : group.values)
            if (parameter != group.values.front())
                facts.tiedTo.emplace(parameter, group.values.front());
    for (const NodeId node : graph.nodes())
        facts.readsStorage[node] = readsStorage(graph[node].target);
    addPlaces(graph, facts);
    return facts;
}

} // namespace stagecraft
