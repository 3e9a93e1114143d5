// How large may the integers of an input be? As large as what they index.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/sym_int.h"

#include <cstdint>
#include <optional>

namespace stagecraft {

// The number of rows, classes or elements that the integers of `input` choose from, following it through
// operators that only reshape it: the least of all uses, and 1 of the offsets of bags. None where it indexes
// nothing.
std::optional<std::int64_t> indexBound(const Graph& graph, ValueId input, const Bindings& bindings);

} // namespace stagecraft
