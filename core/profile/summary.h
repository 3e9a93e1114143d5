// Sums of a profile: by node, by module down to a depth, by operator, by any sets of nodes (stages).
#pragma once

#include "core/graph/graph.h"
#include "core/profile/block_figures.h"
#include "core/profile/profile.h"

#include <climits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

enum class SummaryKind : std::uint8_t { Node, Module, Op, Group };

// Nodes that are one row together, such as those of a stage.
struct NodeGroup
{
    std::string name;
    std::vector<NodeId> nodes;
};

struct SummaryRow
{
    std::string name;   // of the node, module path ("" is the model itself) or operator or group
    std::string detail; // operator of a node, class of a module; empty for operators
    std::size_t nodes = 0;
    NodeCost cost; // of a module, block or group its outputBytes are those of `block`
    std::optional<BlockFigures> block = {}; // none of an operator
};

// Nodes in execution order; modules in the order of the tree, each with everything below it; operators by
// falling time. `depth` says how far below the root modules are listed, 0 being the root alone; containers
// (graph/module_containers.h) are listed and do not count. Each module that
// `blocks` names, by its path or its class ("LlamaDecoderLayer", with or without its package), is one thing:
// nothing below it is listed, and among nodes it is one row where its first node runs.
// Not for SummaryKind::Group.
std::vector<SummaryRow> summarize(const Graph& graph, const Profile& profile, SummaryKind kind,
                                  int depth = INT_MAX, std::span<const std::string> blocks = {});

// A row for each group, in their order. A parameter or buffer counts in every group that reads it, as each
// stage has its own copy; so does what several nodes keep.
std::vector<SummaryRow> summarizeGroups(const Graph& graph, const Profile& profile,
                                        std::span<const NodeGroup> groups);

// Of `blocks` those that no module is called by.
std::vector<std::string> unknownBlocks(const ModuleTree& modules, std::span<const std::string> blocks);

NodeCost sumOf(const Profile& profile, std::span<const NodeId> nodes);

// What a stage of these nodes keeps until backward, with what nodes of other stages keep too.
Bytes keptByStage(const Profile& profile, std::span<const NodeId> nodes);

} // namespace stagecraft
