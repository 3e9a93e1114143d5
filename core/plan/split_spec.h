// Split specifications: boundaries named by module or node, as a person writes them on a command line.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/problem.h"

#include <string>
#include <vector>

namespace stagecraft {

struct SplitPoint
{
    enum class Side : std::uint8_t { Before, After };
    std::string name; // a module path ("model.layers.4") or the name of a node
    Side side = Side::Before;
    std::optional<NodeId> node = {}; // of that name, where a module may be called so, too

    friend bool operator==(const SplitPoint&, const SplitPoint&) = default;
};

// In program order, the nodes of a module with all below it, of its k-th call alone ("block@1" is the
// second, "block@0" the first), or of what else has that name in the file: a node, a region that sets a mode,
// a result (its maker). Fails naming the first part of the path that is not there, with names that come near.
Result<std::vector<NodeId>> nodesOfName(const Graph& graph, const std::string& name);

// The nodes of each outermost module of a class, one list a module. The class goes by its full name or by the
// last part of it ("LlamaDecoderLayer"). Fails naming classes that come near.
Result<std::vector<std::vector<NodeId>>> nodesOfClass(const Graph& graph, const std::string& className);

// The nodes of each module that is `depth` below the root, which is at 0, one list a module. Fails where
// there is none.
Result<std::vector<std::vector<NodeId>>> nodesAtDepth(const Graph& graph, int depth);

// The boundaries that the model itself asks for (load/split_mark.h). A mark with nothing before it or behind
// it asks for none.
std::vector<SplitPoint> markedSplit(const Graph& graph);

// The boundaries of a split specification as torch.distributed.pipelining takes it, in JSON:
// {"layers.4": "beginning", "head": "end"}, at every call of a module. Fails naming what is not there.
Result<std::vector<SplitPoint>> splitPointsOfSpec(const Graph& graph, std::string_view json,
                                                  const std::string& fileName);

// How many stages the points make; then use a problem of that many.
std::size_t stagesOfSplit(const std::vector<SplitPoint>& points);

// The plan with a boundary at every point: before the first, or after the last, node of what it names, in
// program order, as torch.distributed.pipelining does it; groups stay whole, and what only looks at tensors
// stays with what makes them. A result of several is behind its maker ("getitem_1"). Fails where two points
// fall together, a point leaves a stage empty, or the plan is not legal.
Result<Partition> splitAt(const Graph& graph, const PartitionProblem& problem,
                          const std::vector<SplitPoint>& points);

// One line for each boundary of splitAt()'s that had to be before the place it was asked for, and why.
std::vector<std::string> movedBoundaries(const Graph& graph, const PartitionProblem& problem,
                                         const std::vector<SplitPoint>& points, const Partition& partition);

} // namespace stagecraft
