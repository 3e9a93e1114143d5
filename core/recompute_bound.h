// A bound on cuts and recomputation together.
#pragma once

#include "core/base/work_budget.h"
#include "core/recompute_choice.h"

namespace stagecraft {

// No plan that keeps the limits has a slowest stage that takes less computing, wherever it cuts and whatever
// it recomputes. For a trial bottleneck T, stage by stage, how far along the chain (recompute_chain.h) its
// stages can have come at most:
//
//     chain   o─o─o─o─o─o─o─o─o─o─o─o      each begins where the one before it can have come to, and goes on
//     reach   ├──────►├───►├────►            while it takes no more than T and keeps its limit
//
// A stage takes the time of its nodes, and of what it must run again: its state, the largest transient of a
// node, and what its nodes keep in flight are more than its limit, and each byte of a node that is not kept
// costs the time of running the node again by its share, the cheapest first (a fractional knapsack, solved by
// prices of a byte). T is refuted where the last stage does not come to the end. Transfers, inputs of regions
// and what a second run itself takes of memory count nothing. 0 where devices run several stages.
// `upper`: of a plan at hand; better ones are bounded.
Bound recomputedBound(const RecomputeGround& ground, Seconds upper, const IsOver& isOver = {});

} // namespace stagecraft
