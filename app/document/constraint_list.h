// The constraints in force on a plan, one by one, as a list that a person reads and deletes from.
#pragma once

#include "app/document/plan_state.h"
#include "core/load/model.h"
#include "views/plan/constraints_panel.h"

#include <span>
#include <vector>

namespace stagecraft {

// Locks first, then pins that are of no lock, groups, values that are never cut, and limits that were asked
// for.
std::vector<ConstraintInForce> constraintsInForce(const Graph& graph, const PlanState& state);

// A draft for underConstraints() (plan_constraints.h): `state` without these, all of which it has.
PlanState withoutThese(PlanState state, std::span<const ConstraintInForce> constraints);

} // namespace stagecraft
