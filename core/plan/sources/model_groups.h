// What of a model must stay in one stage, and why.
#pragma once

#include "core/graph/alias_sets.h"
#include "core/graph/graph.h"
#include "core/plan/problem.h"

#include <map>
#include <vector>

namespace stagecraft {

// Tensors that are written in place, each as its versions, by the representative of its storage. A stage that
// writes to what it received writes to a copy, so a boundary may lie before any of the writers; what is sent
// is one tensor, whichever version it is. Only what nodes make, and where up to the last write nothing but
// the versions lies in its storage, alike in type, size and layout.
using VersionsOfWritten = std::map<ValueId, std::vector<ValueId>>;
VersionsOfWritten separableVersions(const Graph& graph, const AliasSets& sets, const AliasingOf& aliasing);

// Other storage that is written in place: all that makes a name for it up to the last write, and the writers.
// Readers in between are held by order edges; what reads it afterwards may be elsewhere. Storage that comes
// into the model, a parameter, buffer or input, is held by every stage that reads it: then all of its users.
std::vector<Colocation> storageGroups(const Graph& graph, const AliasSets& sets,
                                      const VersionsOfWritten& separable);
// Makers and readers of tokens and script objects.
std::vector<Colocation> opaqueGroups(const Graph& graph);
// Nodes that exchange no data with others, each with a neighbour: an assertion with the node that makes what
// it looks at, a counter with the next node.
std::vector<Colocation> looseNodeGroups(const Graph& graph);

} // namespace stagecraft
