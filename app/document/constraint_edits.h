// What a click does to the constraints on some ops or modules: it puts them, or takes them away where all
// have them.
#pragma once

#include "app/document/plan_constraints.h"

#include <QString>

#include <span>

namespace stagecraft {

struct ConstraintEdit
{
    QString text;    // of the step of undo
    PlanState draft; // for underConstraints()
};
ConstraintEdit withPinsToggled(const PlanState& state, std::span<const NodeId> nodes);
ConstraintEdit withResultsToggled(const Graph& graph, const PlanState& state, std::span<const NodeId> nodes);
ConstraintEdit withBlocksToggled(const PlanState& state, const Blocks& blocks);

} // namespace stagecraft
