#include "core/graph/graph.h"

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

std::optional<NodeId> Graph::findNode(std::string_view name) const
{
    return findByName(m_nodesByName, name);
}

std::optional<ValueId> Graph::findValue(std::string_view name) const
{
    return findByName(m_valuesByName, name);
}

} // namespace stagecraft
