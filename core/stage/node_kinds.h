// Which nodes of a graph are alike by themselves: but for their names, modules and modes, and which values
// they read.
#pragma once

#include "core/graph/graph.h"

#include <cstdint>

namespace stagecraft {

// Equal for two nodes, and for no others, that have one operator, literals and arguments in the same places
// (which of a node's inputs each is), as many results, of equal types and shapes. What has inner graphs, or
// arguments that are not read, is like nothing else.
using NodeKinds = Table<NodeId, std::uint32_t>;

NodeKinds nodeKinds(const Graph& graph);

} // namespace stagecraft
