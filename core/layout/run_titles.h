// What the boxes of a run tree are called.
#pragma once

#include "core/layout/run_tree.h"

namespace stagecraft {

// The nodes at both ends of a box, and the group of the box around it.
struct RunRange
{
    GroupId parent;
    NodeId first;
    NodeId last;
};

// The path of the box below its parent; of a fold, from the first copy to the last: "layers.0-7".
std::string boxTitle(const Graph& graph, const RunTree& tree, const RunBox& box, const RunRange& range);

// Adds "(1/2)" to the titles of boxes that are pieces of one group.
void numberParts(RunTree& tree);

// The module that an operator alone stands for in its box, relative to it: "q_proj"; empty if it is the
// box's own operator.
std::string operatorModule(const Graph& graph, const RunTree& tree, NodeId node);

} // namespace stagecraft
