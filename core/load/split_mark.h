// Split marks: pipe_split() of torch.distributed.pipelining, by which a model says itself where a stage ends.
//
// The call computes nothing, so it is no node: the node behind it carries the mark among the file's own
// notes.
#pragma once

#include "core/graph/graph.h"

#include <algorithm>

namespace stagecraft {

inline constexpr std::string_view splitMarkTarget = "pippy::_pipe_split.default";
inline constexpr std::string_view splitMarkNote = "stagecraft_split_mark"; // among Node::metadata

// Does the model ask for a boundary right before this node?
inline bool hasSplitMark(const Node& node)
{
    return std::ranges::any_of(node.metadata, [](const auto& note) { return note.first == splitMarkNote; });
}

} // namespace stagecraft
