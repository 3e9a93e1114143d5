// What is alive while nodes go back, one after the other, by what depends on who is in a stage.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/turn_memory.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Of a step; of inference nothing.
TurnMemory turnMemory(const Graph& graph, const Trace& trace);

} // namespace stagecraft
