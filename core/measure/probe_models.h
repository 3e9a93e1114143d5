// Probe models: small programs whose steps calibration runs. They hold the operators that models are made of,
// forward and (through autograd) backward, in the company they usually keep, at sizes from a cache line to
// beyond every cache.
#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace stagecraft {

// The same program at rising sizes is one list.
std::vector<std::vector<Graph>> probeGraphs();

// Views of views, forward and backward: nothing but the cost of handing operators over.
Graph viewGraph();

// y = x W of sides 512, in another element type.
Graph productGraph(DType dtype);

} // namespace stagecraft
