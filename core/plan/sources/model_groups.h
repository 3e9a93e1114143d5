// What of a model must stay in one stage, and why.
#pragma once

#include "core/graph/alias_sets.h"
#include "core/graph/graph.h"
#include "core/plan/problem.h"
#include "core/plan/sources/written_storage.h"

#include <map>
#include <vector>

namespace stagecraft {

// Storage that is written in place and is none of `separable`: all that makes a name for it up to the last
// write, and the writers.
// Readers in between are held by order edges; what reads it afterwards may be elsewhere. Storage that comes
// into the model, a parameter, buffer or input, is held by every stage that reads it: then all of its users.
std::vector<Colocation> storageGroups(const Graph& graph, const AliasSets& sets,
                                      const std::map<ValueId, WrittenStorage>& separable);
// Makers and readers of tokens, script objects and sparse tensors.
std::vector<Colocation> opaqueGroups(const Graph& graph);
// Nodes that exchange no data with others, each with a neighbour: an assertion with the node that makes what
// it looks at, a counter with the next node.
std::vector<Colocation> looseNodeGroups(const Graph& graph);

} // namespace stagecraft
