// Sums of a profile: by node, by module down to a depth, by operator.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/profile.h"

#include <climits>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

enum class SummaryKind : std::uint8_t { Node, Module, Op };

struct SummaryRow
{
    std::string name;   // of the node, module path ("" is the model itself) or operator
    std::string detail; // operator of a node, class of a module; empty for operators
    std::size_t nodes = 0;
    NodeCost cost;
};

// Nodes in execution order; modules in the order of the tree, each with everything below it; operators by
// falling time. `depth` says how far below the root modules are listed; 0 is the root alone.
std::vector<SummaryRow> summarize(const Graph& graph, const Profile& profile, SummaryKind kind,
                                  int depth = INT_MAX);

NodeCost sumOf(const Profile& profile, std::span<const NodeId> nodes);

} // namespace stagecraft
