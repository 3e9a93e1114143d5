// A bound on cuts and recomputation together.
#pragma once

#include "core/base/work_budget.h"
#include "core/recompute_choice.h"

namespace stagecraft {

// No plan that keeps the limits has a slowest stage that takes less computing, wherever it cuts and whatever
// it recomputes:
//
//     for weights w (sum 1) and prices of a byte p, both of each stage and at least 0,
//     T >= sum w(s) load(s) >= sum w(s) load(s) + p(s) (memory(s) - limit(s))
//       >= least sum over the nodes, each in its stage s, of
//              w(s) time + p(s) state + min(p(s) inFlight(s) saved, w(s) time again)
//
// A node either has what it makes and backward needs kept, or runs again in full; and nodes that have all
// others before or behind them (pivots) are in stages that never fall. Of transients the mean by time counts.
// The weights and prices are raised by a subgradient; each step is a bound. Transfers and inputs of regions
// count nothing. 0 where devices run several stages. `upper`: of a plan at hand; better ones are bounded.
Bound recomputedBound(const RecomputeChooser& chooser, Seconds upper, const IsOver& isOver = {});

} // namespace stagecraft
