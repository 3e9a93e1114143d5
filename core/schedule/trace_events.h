// A Timeline as trace events, for ui.perfetto.dev and chrome://tracing.
#pragma once

#include "core/schedule/bubble.h"
#include "core/schedule/step_comparison.h"

#include <string>
#include <string_view>

namespace stagecraft {

// JSON of the trace-event format, times in microseconds from the step's start: a process a device, in it a
// thread that computes, one for each kind of transfer of each stage, and a counter of its memory. Actions on
// the critical path say so. "otherData" is what the step adds up to: step, bubble by cause, devices, and the
// critical path; `runtime`, the name of whose buffers the memory counts (plan/runtime.h); and
// `recomputation`, as JSON: what each stage runs again (plan/stage_recomputation.h).
// Stages and microbatches count from 0, as in torch's tables; devices are named from 1.
std::string traceEventJson(const Timeline& timeline, const BubbleParts& bubble, std::string_view runtime,
                           std::string_view recomputation = "null");

// The same with the step as it was measured beside it: the processes of the planned step, then those of the
// measured one, whose slots say when they were planned ("planned_ts", "planned_dur", microseconds too).
// "otherData" has "measured" besides: "step_s" and "slots_s" (from the first slot to the last), by device the
// process, what it computed and its idle share, by stage what it computed and what that does to the step
// ("effect_s"), and "difference_s", which all effects, "pace_s", "sends_s" (null: not measured),
// "waiting_s" and "outside_s" add up to, as StepDifference says.
std::string traceEventJson(const Timeline& planned, const BubbleParts& bubble, std::string_view runtime,
                           const MeasuredStep& measured, const StepComparison& comparison,
                           std::string_view recomputation = "null");

} // namespace stagecraft
