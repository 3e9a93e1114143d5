// The rows of schedules whose stages go to the devices in a V: each device has one stage on the way down and
// one on the way back.
#pragma once

#include "core/schedule/action.h"

#include <vector>

namespace stagecraft {

// Qi et al., "Zero Bubble Pipeline Parallelism", section 6. The pattern is made for at least 2 devices - 1
// microbatches; with fewer, what is beyond them falls out.
std::vector<Action> zeroBubbleVRow(const RowShape& shape);

// DeepSeek-AI, "DualPipe", cut in half: in its middle a forward on the way down runs as one with a
// backward on the way back, and the other way round. For at least as many microbatches as stages.
std::vector<Action> dualPipeVRow(const RowShape& shape);

} // namespace stagecraft
