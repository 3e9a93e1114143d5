// The events of a trace of torch.profiler, read as they come: the text may be a gigabyte, what is kept of it
// is little. For this room's .cpp files only.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// One with a beginning and an end, in microseconds. Numbers that it lacks are -1.
struct TraceEvent
{
    std::string name;
    double start = 0;
    double end = 0;
    std::int64_t thread = 0;
    std::int64_t sequence = -1;
    std::int64_t external = -1;    // of the operator that launched a kernel
    std::int64_t correlation = -1; // of a kernel with the call that launched it
};

struct ProfilerEvents
{
    std::vector<TraceEvent> operators;
    std::vector<TraceEvent> annotations;
    std::vector<TraceEvent> launches; // cudaLaunchKernel and its like
    std::vector<TraceEvent> kernels;
};

// What JSON with times can be.
struct TimesDocument
{
    bool hasNodes = false;  // a field "nodes": for others to read
    bool hasEvents = false; // a list of events, or a field "traceEvents" with one
    ProfilerEvents events;
    std::optional<std::size_t> rank; // of the process, where torch.distributed gave it one
    std::int64_t base = 0;           // nanoseconds: what the events' times count from
};

// The annotation that a process puts around one slot of a schedule: "stagecraft:F:0:3" is the forward pass of
// stage 0 for microbatch 3.
inline constexpr std::string_view slotMark = "stagecraft:";

// Leaves operators and annotations of the last step alone, where profiler.step() tells steps apart.
void keepLastStep(ProfilerEvents& events);

// Fails where `text` is not JSON, where its "traceEvents" are no list, and where there are more events than a
// trace of one step can have. `name` is for messages.
Result<TimesDocument> readTimesDocument(std::string_view text, const std::string& name,
                                        const Progress& progress = {});

} // namespace stagecraft
