// Measured times as a file: what a cache keeps, and what `profile --times` reads too (imported_times.h).
//
//     {"format": 1, "step": {"forward": 0.1, "backward": 0.2}, "nodes": {"linear": {"forward": 0.01, ...}}}
#pragma once

#include "core/measure/measure.h"

#include <string>
#include <string_view>

namespace stagecraft {

std::string measuredTimesJson(const Graph& graph, const MeasuredTimes& times);

// Fails, naming the file (`name`), where it is not such a file of this very graph: every node must be in it.
Result<MeasuredTimes> parseMeasuredTimes(std::string_view text, const std::string& name, const Graph& graph);

} // namespace stagecraft
