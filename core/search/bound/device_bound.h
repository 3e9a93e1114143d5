// Lower bound where devices run several stages: their loads add up.
#pragma once

#include "core/base/work_budget.h"
#include "core/search/reduce/reduction.h"

namespace stagecraft {

// A load of the slowest device that no plan can beat, up to `upper`, that of a plan at hand. Every device has
// at least its slowest stage to bear, and all of them together all the work and, where values are relayed,
// twice what must cross each boundary.
Bound deviceBound(const ReducedProblem& reduced, std::size_t deviceCount, double upper,
                  const ShouldStop& shouldStop = {});

} // namespace stagecraft
