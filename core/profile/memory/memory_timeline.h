// The memory of a step, derived from a trace: live bytes after every operator. Who holds them: live_memory.h.
#pragma once

#include "core/profile/profile.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Of the trace alone, without times and `lives`: step_memory.h makes the whole.
MemoryTimeline memoryTimeline(const Trace& trace);

// Peak of live bytes over the samples of one phase, the state at its start and end included.
Bytes peakOf(const Trace& trace, Phase phase);

} // namespace stagecraft
