// Modules that only hold others: torch.nn.Sequential, ModuleList, ModuleDict.
#pragma once

#include "core/graph/graph.h"

namespace stagecraft {

// Of each module: is it a container? By its class; one that is never called itself (ModuleList) has none in
// an exported program, runs nothing of its own, and numbers what it holds.
Table<ModuleId, char> containersOf(const Graph& graph);

} // namespace stagecraft
