// Reads the text form of a graph, as core/graph/graph_text.h writes and describes it.
#pragma once

#include "core/graph/graph_text.h"

#include <string_view>

namespace stagecraft {

// Fails, naming the line, where the text is not understood or the graph does not hold together.
Result<Graph> parseGraph(std::string_view text);

} // namespace stagecraft
