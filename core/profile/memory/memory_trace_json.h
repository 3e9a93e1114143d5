// The memory of a step as trace events, for Perfetto or chrome://tracing: one track of operators, and one
// counter stacked by category.
//
// Source: "Trace Event Format" (Google). Times are microseconds from the step's start, as estimated for the
// device; operators run one after another.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/profile.h"

#include <string>

namespace stagecraft {

std::string memoryTraceJson(const Graph& graph, const Profile& profile);

} // namespace stagecraft
