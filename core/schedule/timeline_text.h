// A Timeline for reading: as text in a terminal, and as trace events for a trace viewer.
#pragma once

#include "core/schedule/simulate.h"

#include <cstddef>
#include <string>

namespace stagecraft {

// One line a device, counted from 1, time to the right, `columns` characters wide: the microbatch's last
// digit where it runs forward, a letter where it runs backward ('a' for microbatch 0), '.' idle, '-' sending
// or receiving.
std::string timelineText(const Timeline& timeline, std::size_t columns = 100);

// One row a device, one cell a unit of time, as the papers print them: "F0", "B3", "I1", "W1", "" idle. For
// timelines whose times are multiples of `unit`.
std::vector<std::vector<std::string>> stepTable(const Timeline& timeline, Seconds unit);

// JSON of the trace-event format (chrome://tracing, ui.perfetto.dev): a thread a device, complete events for
// actions and transfers, counters for memory. Times in microseconds.
std::string traceEventJson(const Timeline& timeline);

} // namespace stagecraft
