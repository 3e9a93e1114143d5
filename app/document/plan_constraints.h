// The constraints that a person puts on a plan: locked boundaries, pinned ops, ops that are kept together.
// Free functions; everything is in PlanState::request, and so in the plan's file.
//
//     stage 1   a  b  c*     a locked boundary is pins on both sides of it: c is read behind it only, d reads
//     ──────────────────     from before it only, so neither a nor b can come behind it, nor e before it
//     stage 2   d* e         (what comes from no input, as a mask, may still be made elsewhere)
#pragma once

#include "app/document/plan_state.h"
#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/load/model.h"
#include "views/base/plan_view.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// ---- blocks: modules that are planned as one, alone or all of a class
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

// Are all of `nodes` (at least one) pinned?
bool arePinned(const PlanState& state, std::span<const NodeId> nodes);
// Is no result that any of `nodes` makes for others ever sent? False where none makes one.
bool areResultsKept(const Graph& graph, const PlanState& state, std::span<const NodeId> nodes);
// Does one of `nodes` belong to a group that is kept together?
bool areKeptTogether(const PlanState& state, std::span<const NodeId> nodes);

// All of it, for the views; null if there are none.
std::shared_ptr<const PlanConstraints> constraintsOf(const Graph& graph, const PlanState& state);

// Drafts, for underConstraints(): `state` with a constraint more or less.
PlanState withLock(const Graph& graph, PlanState state, BoundaryId boundary);
PlanState withoutLock(PlanState state, BoundaryId boundary);
PlanState withPins(PlanState state, std::span<const NodeId> nodes); // where they are now
PlanState withoutPins(PlanState state, std::span<const NodeId> nodes);
PlanState withGroup(PlanState state, std::span<const NodeId> nodes);
// No result of `nodes` is sent: whoever reads it is in the stage that makes it.
PlanState withResultsKept(const Graph& graph, PlanState state, std::span<const NodeId> nodes);
PlanState withoutResultsKept(const Graph& graph, PlanState state, std::span<const NodeId> nodes);
PlanState withoutGroups(PlanState state, std::span<const NodeId> nodes); // of any of them
// A plan's file knows pins alone: where they hold a boundary, it is locked.
PlanState withLocksOfPins(const Graph& graph, PlanState state);

// The draft made whole: a new problem, and the same plan of it. Where ops of a new group are in different
// stages, they come together where most of their time is spent, with what must follow. Fails where no legal
// plan comes of it.
Result<PlanState> underConstraints(const Model& model, PlanState draft, Seconds timeLimit);

} // namespace stagecraft
