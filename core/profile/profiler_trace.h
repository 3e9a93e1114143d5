// A Chrome trace of torch.profiler, matched to the nodes of a graph. See imported_times.h.
#pragma once

#include "core/profile/imported_times.h"

#include <nlohmann/json_fwd.hpp>

namespace stagecraft {

// `events` is the trace's "traceEvents". Fails where no node was found.
Result<ImportedTimes> timesOfTrace(const nlohmann::json& events, const std::string& name, const Graph& graph);

} // namespace stagecraft
