// A measured step beside the planned one, for reading in a terminal.
#pragma once

#include "core/schedule/step_comparison.h"

#include <string>

namespace stagecraft {

// A line a slot, by device and time: when it starts and what it takes, planned and measured. Of more than
// `most` slots those whose time differs most, in the same order, and a line that says how many there are.
// Slots are named as in torch's tables: "0F3" is the forward pass of stage 0 for microbatch 3.
std::string slotTable(const StepComparison& comparison, std::size_t most = 200);

// A line a device and a line a stage (computing, idle; counted from 1, as in timelineSummary), then the two
// steps, and what their difference adds up from, line by line.
std::string comparisonSummary(const MeasuredStep& measured, const StepComparison& comparison);

} // namespace stagecraft
