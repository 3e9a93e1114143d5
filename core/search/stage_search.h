// Search with each stage looked at alone: even where stages share a device, or the objective is the time of a
// step.
#pragma once

#include "core/base/progress.h"
#include "core/plan/problem.h"
#include "core/search/reduce/search_features.h"

namespace stagecraft {

// As solve() (search.h) in what it takes, promises and refuses.
Result<Solution> solveByStage(const PartitionProblem& problem, const Progress& progress = {},
                              const SearchFeatures& features = {});

// No plan keeps the constraints, or none was found that does.
Error noPlan();

} // namespace stagecraft
