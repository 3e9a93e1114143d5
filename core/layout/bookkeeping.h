// What a model computes about its inputs and not from them: masks, positions, tables of angles, sizes,
// assertions. It reads neither weights nor activations, costs next to nothing, and hides what matters.
#pragma once

#include "core/graph/graph.h"

namespace stagecraft {

// Which nodes are bookkeeping: all that they read are numbers, tensors of whole numbers or truth values that
// the model is given, buffers, constants, and what other such nodes make. None, where that would be most of
// the model.
Table<NodeId, char> bookkeepingNodes(const Graph& graph);

} // namespace stagecraft
