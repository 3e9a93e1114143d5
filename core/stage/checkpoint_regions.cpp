#include "core/stage/checkpoint_regions.h"

#include "core/load/random_operator.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

// Does the value lie in storage that one of the nodes made?
bool isMadeBy(const Graph& graph, ValueId value, const std::set<NodeId>& nodes, OperatorSchemas& schemas)
{
    const std::optional<NodeId> producer = graph[value].producer;
    if (!producer || !nodes.contains(*producer))
        return false;
    const Node& node = graph[*producer];
    const OperatorSchema* const schema = schemas.find(node.target);
    if (!schema)
        return false;
    for (const SchemaArgument& argument : schema->arguments) {
        const Argument* const given = argument.alias.sets.empty() ? nullptr : node.argument(argument.name);
        if (const auto* base = given ? std::get_if<ValueId>(given) : nullptr)
            return isMadeBy(graph, *base, nodes, schemas);
    }
    return true;
}

} // namespace

void forEachRegion(const Graph& graph, std::span<const NodeId> nodes, std::size_t depth,
                   const std::function<void(std::span<const NodeId>, std::optional<int>)>& visit)
{
    const auto regionOf = [&](NodeId node) {
        const std::vector<int>& path = graph.context(graph[node].context).recomputeRegions;
        return depth < path.size() ? std::optional(path[depth]) : std::nullopt;
    };
    for (std::size_t begin = 0; begin < nodes.size();) {
        const std::optional<int> region = regionOf(nodes[begin]);
        std::size_t end = begin + 1;
        while (end < nodes.size() && regionOf(nodes[end]) == region)
            ++end;
        visit(nodes.subspan(begin, end - begin), region);
        begin = end;
    }
}

bool runsAgainAlike(const Graph& graph, std::span<const NodeId> nodes, OperatorSchemas& schemas)
{
    const std::set<NodeId> inside(nodes.begin(), nodes.end());
    return std::ranges::none_of(nodes, [&](NodeId id) {
        const Node& node = graph[id];
        const OperatorSchema* const schema = schemas.find(node.target);
        if (!node.subgraphs.empty() || !schema)
            return !node.subgraphs.empty(); // what an inner graph does is not looked at
        const bool writesOutside =
            std::ranges::any_of(schema->arguments, [&](const SchemaArgument& argument) {
                const Argument* const given = argument.alias.writes ? node.argument(argument.name) : nullptr;
                const auto* value = given ? std::get_if<ValueId>(given) : nullptr;
                return value && !isMadeBy(graph, *value, inside, schemas);
            });
        return writesOutside || drawsRandomNumbers(node, schemas);
    });
}

} // namespace stagecraft
