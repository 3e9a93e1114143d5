// What nodes take going backward in front of one whose result the run-time of a pipeline still holds.
//
//     linear ──► sigmoid ──► the next stage       sigmoid keeps its result: so does whoever sent it
//       ◄─ grad ─┘  ◄──── grad of the result      in a whole model both are let go before linear goes back
#pragma once

#include "core/base/quantities.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Of values that their makers keep for backward, also as views: the most that is alive while the nodes in
// front of the maker go back, above what is kept when it begins to, its result still there. Others have 0.
Table<ValueId, Bytes> inFrontOfResults(const Graph& graph, const Trace& trace);

} // namespace stagecraft
