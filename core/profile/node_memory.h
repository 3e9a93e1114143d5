// NodeMemory: the memory of one node as plans of recomputation see it, after Siu and ColossalAI's analyzer.
//
//     forward    in ──┐ saved, was there before      backward   in: gradients that arrive
//                temporary: made and saved                      temporary: made and dropped
//                out: made and returned                         out: gradients that leave
//
// By storage: each is counted once and whole, however many tensors lie in it.
#pragma once

#include "core/trace/trace.h"

namespace stagecraft {

struct NodeMemory
{
    Bytes forwardIn;         // activations it saves that others made
    Bytes forwardTemporary;  // made by it, saved, not returned
    Bytes forwardOut;        // made by it and returned
    Bytes forwardOutSaved;   // of forwardOut what autograd keeps, for whichever node
    Bytes forwardPeak;       // most alive inside its forward operators, above their entry
    Bytes backwardTemporary; // made by its backward, for that alone
    Bytes backwardOut;       // made by its backward for others: gradients of activations and parameters
    Bytes backwardPeak;
    Bytes parameters; // all that it reads, whoever else reads them
    Bytes buffers;

    friend bool operator==(const NodeMemory&, const NodeMemory&) = default;
};

Table<NodeId, NodeMemory> nodeMemory(const Graph& graph, const Trace& trace);

} // namespace stagecraft
