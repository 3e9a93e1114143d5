// The bound beside a plan that was not searched for: drawn by hand, split by name, read from a file.
#pragma once

#include "core/base/progress.h"
#include "core/plan/partition.h"
#include "core/plan/problem.h"

namespace stagecraft {

// What no plan of `problem` can beat, found without a search. `cost` is that of some legal plan. Fails where
// the constraints leave no plan, and if cancelled.
Result<Bound> planBound(const PartitionProblem& problem, const PlanCost& cost, const Progress& progress = {});

} // namespace stagecraft
