// A Timeline as trace events, for ui.perfetto.dev and chrome://tracing.
#pragma once

#include "core/schedule/bubble.h"

#include <string>

namespace stagecraft {

// JSON of the trace-event format, times in microseconds from the step's start: a process a device, in it a
// thread that computes, one for each kind of transfer of each stage, and a counter of its memory. Actions on
// the critical path say so. "otherData" is what the step adds up to: step, bubble by cause, devices, and the
// critical path. Stages and microbatches count from 0, as in torch's tables; devices are named from 1.
std::string traceEventJson(const Timeline& timeline, const BubbleParts& bubble);

} // namespace stagecraft
