// Does an operator's result lie in the storage of its input?
//
// Schemas only say that it may: reshape gives a view where strides allow one, else a copy; contiguous and to
// return what they were given if there is nothing to do.
#pragma once

#include "core/graph/graph.h"

#include <string_view>

namespace stagecraft {

enum class Sharing : std::uint8_t {
    Always,
    Never,
    Unknown, // sizes or strides that are not known decide
};

// `result` and `input` are values of `node` that may share storage: NodeAliasing::shared.
Sharing sharingOf(const Graph& graph, const Node& node, ValueId result, ValueId input);

// Does an operator of this target see more of a tensor than its elements: where it lies, and what lies beside
// it?
bool readsStorage(std::string_view target);

// Is what an operator of this target returns a view that autograd takes for a tensor of its own? A write to
// it is not in the gradient of what it is a view of.
bool isViewUnknownToAutograd(std::string_view target);

} // namespace stagecraft
