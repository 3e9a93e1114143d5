// What is alive while nodes run one after the other, forward and back: of a trace, turn by turn.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/turn_memory.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Of a step; of inference nothing.
TurnMemory turnMemory(const Graph& graph, const Trace& trace);

} // namespace stagecraft
