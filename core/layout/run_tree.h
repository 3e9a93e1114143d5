// RunTree: a model's operators in stage order, grouped into the boxes of a drawing.
//
// Nodes are ordered by (stage, execution index). A box is a maximal contiguous run of drawn nodes of one
// group (group_tree.h) and one stage, so no box straddles a boundary between stages, and what is outside a
// box is wholly before or after it. A module that is called twice, or cut in two, makes two boxes.
//
//     root
//     ├─ stage 0                        always there, even if there is one stage only
//     │  ├─ embed_tokens  (an operator: a box with one child is replaced by the child)
//     │  ├─ layers.0-7  x8              equal neighbours are folded into one box
//     │  │  ├─ self_attn ...
//     │  └─ layers.8 (1/2)
//     └─ stage 1
//        ├─ layers.8 (2/2) ...
//
// Bookkeeping of a group is one box, before all that the group runs; its nodes are gathered from there, for
// nothing else goes into it.
//
// Every value here is plain data; positions count nodes of the stage order, hidden ones included.
// make_run_tree.h makes it.
#pragma once

#include "core/graph/graph.h"
#include "core/layout/group_tree.h"
#include "core/plan/partition.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace stagecraft {

using BoxId = Id<struct BoxTag>;
using RunItem = std::variant<NodeId, BoxId>;

struct RunBox
{
    GroupId group = GroupTree::root();
    std::optional<StageId> stage; // none for the root
    std::optional<BoxId> parent;  // none for the root
    int depth = 0;
    std::vector<RunItem> children; // of the first copy, in stage order
    std::string title;             // "layers.0-7", "self_attn", "layers.8 (1/2)", "Stage 1"
    std::size_t copies = 1;        // equal neighbours folded into this box
    std::size_t first = 0;         // positions [first, end) that it covers, all copies
    std::size_t end = 0;
    std::vector<NodeId> scattered; // its nodes, if they are not all that is at these positions
    std::size_t drawnNodes = 0;    // in one copy
    std::uint64_t structure = 0;   // equal for boxes that are equal inside: operators, shapes, edges
};

struct RunTree
{
    GroupTree groups;
    GroupId main = GroupTree::root(); // holds all but a little, and has no box: no title need name it
    Partition partition;
    Table<BoxId, RunBox> boxes;
    std::vector<NodeId> order;                 // every node, in stage order
    Table<NodeId, std::size_t> positionOf;     // inverse of `order`
    Table<NodeId, std::optional<BoxId>> boxOf; // of drawn nodes: the box of its stand-in; none if hidden
    Table<NodeId, NodeId> standIn; // the node of the first copy that is drawn for it; itself if not folded
    // Depth of the outermost fold of which it is in a copy that is not drawn; none if it is drawn itself.
    Table<NodeId, std::optional<int>> foldDepth;

    static constexpr BoxId root() { return BoxId(0); }
    bool isHidden(NodeId node) const { return !boxOf[node]; }
    // What is inside, all copies and hidden nodes too, in stage order.
    std::vector<NodeId> nodesOf(BoxId box) const;
    // The boundary between stage i and i + 1 lies before this position.
    std::size_t boundaryPosition(BoundaryId boundary) const
    {
        const auto after = [&](NodeId node) { return partition.stageOf[node].index() <= boundary.index(); };
        return static_cast<std::size_t>(std::ranges::partition_point(order, after) - order.begin());
    }
};

} // namespace stagecraft
