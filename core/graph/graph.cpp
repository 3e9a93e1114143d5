#include "core/graph/graph.h"

#include "core/graph/functorch_step.h"

#include <algorithm>

namespace stagecraft {

namespace {

template <class Map>
auto findByName(const Map& map, std::string_view name) -> std::optional<typename Map::mapped_type>
{
    const auto found = map.find(std::string(name));
    if (found == map.end())
        return std::nullopt;
    return found->second;
}

} // namespace

const Argument* Node::argument(std::string_view wanted) const
{
    const auto found = std::ranges::find(arguments, wanted, &NamedArgument::name);
    return found == arguments.end() ? nullptr : &found->value;
}

std::optional<NodeId> Graph::findNode(std::string_view name) const
{
    return findByName(m_nodesByName, name);
}

std::optional<ValueId> Graph::findValue(std::string_view name) const
{
    return findByName(m_valuesByName, name);
}

std::optional<NodeSpan> Graph::findPlace(std::string_view name) const
{
    return findByName(m_placesByName, name);
}

bool onlyLooks(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    if (needsDualLevel(node.target))
        return false; // it stays in its region
    const auto isNeeded = [&](ValueId value) { return !graph[value].users.empty() || graph.isOutput(value); };
    const auto isMade = [&](ValueId value) { return graph[value].producer.has_value(); };
    return std::ranges::none_of(node.results, isNeeded) && std::ranges::any_of(node.inputs, isMade) &&
           graph.successors(id).empty();
}

} // namespace stagecraft
