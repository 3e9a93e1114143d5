// Where the checkpoint regions of a step begin and end.
#pragma once

#include "core/base/id.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <vector>

namespace stagecraft {

struct RegionRuns
{
    std::vector<NodeId> order; // in which the step runs the nodes: part by part
    Table<NodeId, std::size_t> positions;
    // The regions around each node, outermost first, each by a number from 1 that its run alone has: a run
    // ends where another node comes between, and at the end of a part.
    Table<NodeId, std::vector<std::uint32_t>> around;
};

// `parts` are of nodes, no edge goes back from one to an earlier; null: all is one part.
RegionRuns regionRuns(const Graph& graph, const Table<NodeId, std::uint32_t>* parts);

} // namespace stagecraft
