// What a trace does at an operator that cannot run without data, or that this process does not know: results
// of the shape that the file says, or that a substitute does, and a gradient of the shape of each operand.
#pragma once

#include "core/run/value_table.h"
#include "core/trace/substitutes.h"

namespace stagecraft {

// Puts results of node `id` into `values`. Fails where neither `substitute` (none: null) nor the file says
// how large they are. Autograd is taken to keep every operand that needs a gradient.
Result<void> fallbackResults(const Graph& graph, NodeId id, const Bindings& bindings,
                             const Substitute* substitute, ValueTable& values);

} // namespace stagecraft
