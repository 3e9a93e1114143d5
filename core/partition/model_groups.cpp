#include "core/partition/model_groups.h"

#include <algorithm>
#include <string_view>

namespace stagecraft {

namespace {

// "aten::add_.Tensor" writes its first argument; "aten::__and__.Tensor" does not.
bool writesInPlace(const Node& node)
{
    const std::string_view target = node.target;
    const std::string_view name = target.substr(0, target.find('.', target.find("::") + 2));
    return name.ends_with('_') && !name.ends_with("__");
}

std::vector<NodeId> makerAndUsers(const Value& value)
{
    std::vector<NodeId> nodes = value.users;
    if (value.producer)
        nodes.insert(nodes.begin(), *value.producer);
    return nodes;
}

bool dataComesFromNodes(const Graph& graph, const Node& node)
{
    return std::ranges::any_of(node.inputs, [&](ValueId input) { return graph[input].producer.has_value(); });
}

bool isUsed(const Graph& graph, const Node& node)
{
    return std::ranges::any_of(
        node.results, [&](ValueId result) { return !graph[result].users.empty() || graph.isOutput(result); });
}

} // namespace

std::vector<Colocation> storageGroups(const Graph& graph)
{
    std::vector<Colocation> groups;
    for (NodeId node : graph.nodes()) {
        if (!writesInPlace(graph[node]) || graph[node].inputs.empty())
            continue;
        const Value& written = graph[graph[node].inputs.front()];
        if (written.producer)
            groups.push_back({{*written.producer, node}, "one is written in place by the other"});
        else if (written.users.size() > 1)
            groups.push_back({written.users, "they use '" + written.name + "', which is written in place"});
    }
    for (const auto& [before, after] : graph.orderEdges())
        groups.push_back({{before, after}, "they touch a tensor that is written in place"});
    return groups;
}

std::vector<Colocation> opaqueGroups(const Graph& graph)
{
    std::vector<Colocation> groups;
    for (ValueId id : graph.values()) {
        const Value& value = graph[id];
        std::vector<NodeId> nodes = makerAndUsers(value);
        if (value.kind == ValueKind::Opaque && value.producer && nodes.size() > 1)
            groups.push_back({std::move(nodes), "'" + value.name + "' cannot be sent"});
    }
    return groups;
}

std::vector<Colocation> looseNodeGroups(const Graph& graph)
{
    std::vector<Colocation> groups;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (isUsed(graph, node) || graph.nodeCount() < 2)
            continue;
        if (dataComesFromNodes(graph, node)) {
            if (!graph.successors(id).empty())
                continue;
            NodeId maker(0);
            for (NodeId before : graph.predecessors(id))
                maker = std::max(maker, before);
            groups.push_back({{maker, id}, "one only looks at what the other makes"});
            continue;
        }
        const bool last = id.index() + 1 == graph.nodeCount();
        groups.push_back({{id, NodeId(last ? id.index() - 1 : id.index() + 1)},
                          "'" + node.name + "' exchanges no data with other nodes"});
    }
    return groups;
}

} // namespace stagecraft
