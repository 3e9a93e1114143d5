// What of a model must stay in one stage, and why.
#pragma once

#include "core/graph/graph.h"
#include "core/partition/problem.h"

#include <vector>

namespace stagecraft {

// Storage that is written in place: its maker and its writers; all users, where it is a parameter, buffer or
// input.
std::vector<Colocation> storageGroups(const Graph& graph);
// Makers and readers of tokens and script objects.
std::vector<Colocation> opaqueGroups(const Graph& graph);
// Nodes that exchange no data with others, each with a neighbour: an assertion with the node that makes what
// it looks at, a counter with the next node.
std::vector<Colocation> looseNodeGroups(const Graph& graph);

} // namespace stagecraft
