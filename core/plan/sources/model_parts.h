// The modules of a model as parts that a person moves as one.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/named_nodes.h"

#include <vector>

namespace stagecraft {

// Every module but the root that has nodes, with those of all modules below it, in program order.
std::vector<NamedNodes> partsOfModel(const Graph& graph);

} // namespace stagecraft
