// Blocks: modules that are planned as one, alone or all of a class. Free functions.
#pragma once

#include "app/document/plan_state.h"
#include "core/graph/graph.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// The innermost module that has all of `nodes` (ascending); none where that is the whole model.
std::optional<ModuleId> commonModule(const Graph& graph, std::span<const NodeId> nodes);

using Blocks = std::vector<std::vector<NodeId>>; // the nodes of each, ascending; at least two

// The module with all below it; none where it has fewer than two nodes.
Blocks blockOf(const Graph& graph, ModuleId module);
// Every module of the class that is not inside another one of it.
Blocks blocksOfClass(const Graph& graph, const std::string& className);

// Is each of `blocks` (at least one) kept together as it is?
bool areKept(const PlanState& state, const Blocks& blocks);
// Drafts, for underConstraints() (plan_constraints.h).
PlanState withBlocks(PlanState state, const Blocks& blocks);
PlanState withoutBlocks(PlanState state, const Blocks& blocks);

} // namespace stagecraft
