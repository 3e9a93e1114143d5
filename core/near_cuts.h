// Cuts near those of a plan, one of whose slowest stage's boundaries lies a little elsewhere.
#pragma once

#include "core/estimated_cuts.h"
#include "core/recompute_attempts.h"

#include <vector>

namespace stagecraft {

// Those that by estimate take little longer than it or less, the fastest first: estimates miss some.
std::vector<EstimatedCuts> cutsNear(const TracedPlan& plan, RecomputeAttempts& attempts);

} // namespace stagecraft
