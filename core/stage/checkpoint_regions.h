// Checkpoint regions of a stage: where they are, and which of them a `.pt2` can hold.
#pragma once

#include "core/graph/graph.h"
#include "core/load/operator_schema.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

// Calls `visit` for runs [begin, end) of `count` things that lie in one region, or in none, `depth` regions
// below the outermost.
void forEachRegion(std::size_t count, const std::function<std::span<const int>(std::size_t)>& regionsOf,
                   std::size_t depth,
                   const std::function<void(std::size_t begin, std::size_t end, std::optional<int>)>& visit);
// The same for nodes.
void forEachRegion(const Graph& graph, std::span<const NodeId> nodes, std::size_t depth,
                   const std::function<void(std::span<const NodeId>, std::optional<int>)>& visit);

// Those around all nodes at the places [begin, end), which are some, outermost first.
std::span<const int> regionsAround(const Graph& graph, std::span<const NodeId> nodes, std::size_t begin,
                                   std::size_t end);

// Does a region around nodes of the context keep their results, so that they do not run again with it?
bool isKept(const Context& context);
// The same of any of the nodes, by the region below `depth` others.
bool keepsSome(const Graph& graph, std::span<const NodeId> nodes, std::size_t depth);

// Is a second run of the nodes like the first, also where nothing puts the random numbers back? PyTorch runs
// regions of a `.pt2` so, unless it is compiled: gradients would be those of other numbers. And it refuses a
// region that writes to what was there before. A region of stage_I.py may do both.
bool runsAgainAlike(const Graph& graph, std::span<const NodeId> nodes, OperatorSchemas& schemas);

// A region of a stage, the outermost where regions are nested.
struct StageRegion
{
    std::span<const NodeId> nodes; // consecutive ones of the stage
    std::vector<NodeId> kept;      // of these: do not run again with the region, or with one inside
    bool isNested = false;         // are there others inside?
    bool isInPrograms = false;     // can a `.pt2` have it? What is kept runs again there.
};
std::vector<StageRegion> stageRegions(const Graph& graph, std::span<const NodeId> stage,
                                      OperatorSchemas& schemas);

} // namespace stagecraft
