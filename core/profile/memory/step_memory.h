// The memory of one whole step as every later one goes: forward, backward, the optimizer.
#pragma once

#include "core/profile/profile.h"

#include <vector>

namespace stagecraft {

// Fills in profile.memory, what is alive at its peak, and the totals of memory. `times` are those of the
// trace's operators, `optimizerTimes` of the optimizer's two steps.
void addStepMemory(const Graph& graph, const Trace& trace, const OptimizerTrace& optimizer,
                   const std::vector<OperatorSpan>& times, const std::vector<OperatorSpan>& optimizerTimes,
                   Profile& profile);

} // namespace stagecraft
