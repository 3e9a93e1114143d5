// Nodes that nothing drawn depends on and that return nothing (counters, assertions) are hidden unless asked
// for.
#pragma once

#include "core/graph/graph.h"

namespace stagecraft {

// Which nodes are left out unless asked for. Never all of them.
Table<NodeId, char> hiddenNodes(const Graph& graph);

} // namespace stagecraft
