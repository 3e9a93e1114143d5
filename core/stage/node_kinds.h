// Which nodes of a graph are alike by themselves: but for their names, modules and modes, and which values
// they read.
#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <limits>

namespace stagecraft {

struct NodeKinds
{
    // Of what is like nothing, itself in another place neither: it has inner graphs, or arguments that are
    // not read.
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    // Equal for two nodes, and for no others, that have one operator, literals and arguments in the same
    // places (which of a node's inputs each is), as many results, of equal types and shapes.
    Table<NodeId, std::uint32_t> kinds;
    // Equal for nodes that are alike: of what most differ in.
    Table<NodeId, std::uint64_t> hashes;
};

NodeKinds nodeKinds(const Graph& graph);

} // namespace stagecraft
