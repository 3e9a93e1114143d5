// A Chrome trace of torch.profiler, matched to the nodes of a graph. See imported_times.h.
#pragma once

#include "core/measure/imported_times.h"
#include "core/measure/profiler_events.h"

namespace stagecraft {

// Fails where no node was found.
Result<ImportedTimes> timesOfTrace(ProfilerEvents events, const std::string& name, const Graph& graph,
                                   const Progress& progress);

} // namespace stagecraft
