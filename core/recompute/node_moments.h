// What each node's forward and backward pass have alive for a moment, where nothing runs again.
//
//     alive   ──╮  ╭─╮ peak                 above what was alive before the node, without what had been let
//               ╰──╯ ╰───── made            go by then
#pragma once

#include "core/graph/graph.h"
#include "core/trace/trace.h"

#include <optional>
#include <vector>

namespace stagecraft {

struct NodeMoments
{
    Bytes forwardPeak;
    Bytes forwardStep;        // of its first operator that is no view, forward
    Bytes backwardPeak;       // without gradients of parameters, but while they are made
    Bytes gradientsMade;      // by its backward, but those of parameters
    Bytes gradientsLetGo;     // when its backward has run
    bool saves = false;       // anything, for its backward
    bool savesOwn = false;    // what it made
    bool savesFirst = false;  // all of that before it makes anything: where a second run ends with it
    bool hasBackward = false; // an operator of it
    // What is alive of all the model, but gradients of parameters: the most in its backward pass from when
    // that reads what was saved, and the most in it before that; none: it reads nothing.
    Bytes backwardTop;
    std::optional<Bytes> backwardEntry;
    std::vector<StorageId> results; // of its operators that are no views: what a region keeps that keeps it
};

// `trace` is of the model without regions.
Table<NodeId, NodeMoments> nodeMoments(const Graph& graph, const Trace& trace);

} // namespace stagecraft
