// Search for goals that do not come apart stage by stage: devices that run several stages, the simulated time
// of a step.
#pragma once

#include "core/base/progress.h"
#include "core/plan/problem.h"

namespace stagecraft {

// Plans whose stages are even are a beginning; local search on their full cost does the rest (refine). As
// solve() in what it takes, promises and refuses.
Result<Solution> solveWhole(const PartitionProblem& problem, const Progress& progress = {});

} // namespace stagecraft
