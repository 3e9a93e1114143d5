// Code of a stage with what its tensors look like written beside the lines that make them:
//
//     linear = torch.ops.aten.linear.default(x, self.fc1.weight, self.fc1.bias)   (-> 0.578, <- 0.0204)
//
// The arrows are the standard deviations of the values and of their gradient.
#pragma once

#include "core/measure/statistics.h"
#include "core/stage/stage_program.h"

#include <string>
#include <vector>

namespace stagecraft {

// "(-> 0.578, <- 0.0204)" for every line of `code` that makes floating-point tensors, declares one as an
// input or places one as a weight; several separated by "; "; "NaN" and "inf" where there are such; empty for
// other lines. Of a line that runs for several blocks the least and the most: "(-> 0.41..0.58)". As many as
// lines.
std::vector<std::string> statisticsNotes(const StageCode& code, const Graph& graph,
                                         const Statistics& statistics);

// The text with the notes at the ends of its lines, in one column where lines are short enough.
std::string annotatedCode(const StageCode& code, const std::vector<std::string>& notes);

} // namespace stagecraft
