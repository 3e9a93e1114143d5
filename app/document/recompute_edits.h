// Edits of what a plan runs again, by hand. Free functions; what comes of them is a plan of regions that
// recomputedProblem() checks, parts and completes.
#pragma once

#include "app/document/plan_constraints.h" // Blocks
#include "core/recompute/recompute_policy.h"

#include <span>
#include <string>

namespace stagecraft {

// The regions of the plan that there is, whoever asked for them.
RecomputePlan regionsOf(const Graph& graph, const PlanState& state);

// The modules that repeat, each with its nodes (ascending): found once for a model.
struct ModuleBlock
{
    ModuleId module;
    std::vector<NodeId> nodes;
};
std::vector<ModuleBlock> repeatedBlocksOf(const Graph& graph);

// What running `nodes` (ascending) again means as regions: each of `blocks` that is among them whole; else
// these nodes; of a single node the module that it is in.
Blocks regionsFor(const Graph& graph, std::span<const ModuleBlock> blocks, std::span<const NodeId> nodes);
// The class of the first of these blocks, else of the module that all of `nodes` are in; empty: there is
// none.
std::string classToRunAgain(const Graph& graph, std::span<const ModuleBlock> blocks,
                            std::span<const NodeId> nodes);

// Every node of `blocks` runs again: each block is a region, or stays in the region that it is a part of.
RecomputePlan withRegions(RecomputePlan plan, const Blocks& blocks);
// None of `nodes` runs again: regions of these alone go, others keep their results.
RecomputePlan withoutRegions(RecomputePlan plan, std::span<const NodeId> nodes);

// The request with these regions, and no policy.
PlanRequest withRecomputed(PlanRequest request, RecomputePlan plan);

} // namespace stagecraft
