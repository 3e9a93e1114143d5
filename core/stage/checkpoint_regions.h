// Checkpoint regions of a stage: where they are, and which of them a `.pt2` can hold.
#pragma once

#include "core/graph/graph.h"
#include "core/load/operator_schema.h"

#include <functional>
#include <optional>
#include <span>

namespace stagecraft {

// Calls `visit` for runs of nodes that lie in one region, or in none, `depth` regions below the outermost.
void forEachRegion(const Graph& graph, std::span<const NodeId> nodes, std::size_t depth,
                   const std::function<void(std::span<const NodeId>, std::optional<int>)>& visit);

// Is a second run of the nodes like the first, also where nothing puts the random numbers back? PyTorch runs
// regions of a `.pt2` so, unless it is compiled: gradients would be those of other numbers. And it refuses a
// region that writes to what was there before. A region of stage_I.py may do both.
bool runsAgainAlike(const Graph& graph, std::span<const NodeId> nodes, OperatorSchemas& schemas);

} // namespace stagecraft
