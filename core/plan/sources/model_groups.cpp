#include "core/plan/sources/model_groups.h"

#include "core/base/sort_unique.h"

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

std::vector<NodeId> makerAndUsers(const Value& value)
{
    std::vector<NodeId> nodes = value.users;
    if (value.producer)
        nodes.insert(nodes.begin(), *value.producer);
    return nodes;
}

// No tensor that a stage could receive: what is no tensor, and sparse ones.
bool cannotBeSent(const Value& value)
{
    return value.kind == ValueKind::Opaque || (value.meta && value.meta->layout != TensorLayout::Strided);
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

std::vector<Colocation> storageGroups(const Graph& graph, const AliasSets& sets,
                                      const std::map<ValueId, WrittenStorage>& separable)
{
    struct Family
    {
        std::vector<NodeId> nodes;
        std::string given; // the name of what comes into the model, if any
    };
    std::map<ValueId, Family> families;
    for (ValueId id : graph.values()) {
        const std::vector<NodeId>& writers = sets.writers(id);
        if (writers.empty() || separable.contains(sets.representative(id)))
            continue;
        Family& family = families[sets.representative(id)];
        if (family.nodes.empty())
            family.nodes = writers;
        const Value& value = graph[id];
        if (!value.producer) {
            family.given = value.name;
            family.nodes.insert(family.nodes.end(), value.users.begin(), value.users.end());
        } else if (*value.producer <= writers.back()) {
            family.nodes.push_back(*value.producer);
        }
    }
    std::vector<Colocation> groups;
    for (auto& [representative, family] : families) {
        sortUnique(family.nodes);
        if (family.nodes.size() > 1)
            groups.push_back({std::move(family.nodes),
                              family.given.empty()
                                  ? "they make or write a tensor that is written in place"
                                  : "they use '" + family.given + "', which is written in place"});
    }
    return groups;
}

std::vector<Colocation> opaqueGroups(const Graph& graph)
{
    std::vector<Colocation> groups;
    for (ValueId id : graph.values()) {
        const Value& value = graph[id];
        std::vector<NodeId> nodes = makerAndUsers(value);
        if (cannotBeSent(value) && value.producer && nodes.size() > 1)
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
        if (onlyLooks(graph, id)) {
            NodeId maker(0);
            for (NodeId before : graph.predecessors(id))
                maker = std::max(maker, before);
            groups.push_back({{maker, id}, "one only looks at what the other makes"});
            continue;
        }
        if (dataComesFromNodes(graph, node))
            continue;
        const bool last = id.index() + 1 == graph.nodeCount();
        groups.push_back({{id, NodeId(last ? id.index() - 1 : id.index() + 1)},
                          "'" + node.name + "' exchanges no data with other nodes"});
    }
    return groups;
}

} // namespace stagecraft
