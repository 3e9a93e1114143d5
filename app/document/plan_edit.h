// Edits of a plan as the window offers them, on top of core/plan/editing.h. Free functions.
#pragma once

#include "app/document/plan_state.h"
#include "core/base/result.h"
#include "views/base/plan_view.h"

#include <QString>

#include <span>
#include <vector>

namespace stagecraft {

// "1|2": the boundary between the first and the second stage, as people count.
QString boundaryName(BoundaryId boundary);

// `state` with another partition of the same problem, and its cost.
PlanState withPartition(const PlanState& state, Partition partition);
// `state`, of which there is no plan yet, with everything in one stage, and what that costs.
PlanState unsplit(const PlanState& state);
// `state` with another problem and a legal plan of it. The request follows the number of stages.
PlanState withRestaging(const PlanState& state, PartitionProblem problem, Partition partition);

// The place in the stage order where a boundary would stand to have all of `nodes` on its far side (Before)
// or near side (After).
std::size_t splitPosition(const Partition& partition, std::span<const NodeId> nodes, SplitSide side);

// A position that a view counted in the stage order of `shown`, in that of `plan`.
std::size_t translatedPosition(const Partition& shown, const Partition& plan, std::size_t position);

} // namespace stagecraft
