// Local search: single groups that go to a neighbouring stage.
#pragma once

#include "core/base/work_budget.h"
#include "core/search/improve/order_dp.h"

namespace stagecraft {

// Moves groups out of, or into, the slowest stage as long as that helps, slices the order that comes out
// anew, and so on until nothing helps or `shouldStop` says so. Never worse than `plan`.
Slicing hillClimb(const ReducedProblem& reduced, Slicing plan, const ShouldStop& shouldStop);

} // namespace stagecraft
