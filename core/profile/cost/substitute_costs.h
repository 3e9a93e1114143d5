// What a substitutes file says an operator costs, in place of what was worked out.
#pragma once

#include "core/profile/profile.h"
#include "core/trace/substitutes.h"

#include <vector>

namespace stagecraft {

// Replaces the costs of nodes that `substitutes` names, where it gives them, in the nodes and the totals; a
// time that is not given is what the device takes for the FLOPs and bytes that are. `times`, of the trace's
// operators, follow. Such a node, and every
// sum it is in, is not exact; a note says so. Fails as Expression::evaluate does, naming file, operator and
// node.
Result<void> applySubstitutes(const Graph& graph, const Trace& trace, const Substitutes& substitutes,
                              std::vector<OperatorSpan>& times, Profile& profile);

} // namespace stagecraft
