// What no plan of a model is better than, whatever it cuts and recomputes: one bound for a plan that was
// searched for, drawn by hand or read from a file.
#pragma once

#include "core/recompute_bound.h"

namespace stagecraft {

// What devices take at the least that part all that there is.
Seconds evenShare(const PartitionProblem& problem);

// The greater of two: of plans without memory limits (to recompute takes time, and what is limited is
// memory), as far as a search proves it in a twentieth of the time that there is, and, of plans that keep
// them as this one does, RecomputeBounds::of(), which knows `cuts`. Fails where it is cancelled.
Result<Bound> boundOfAll(RecomputeBounds& bounds, const PlanCost& cost, const Progress& progress, BoundBy by,
                         std::optional<Partition>* cuts = nullptr);
// By stages, of who asks once.
Result<Bound> boundOfAll(const RecomputeGround& ground, const PlanCost& cost, const Progress& progress = {});

} // namespace stagecraft
