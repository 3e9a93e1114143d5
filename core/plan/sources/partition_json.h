// `partition --json`: a solution, with both of its bounds, for machines.
//
//     {"stages": [...], "boundaries": [...], "devices": [{"stages", "load_s", "peak_bytes", "fits"}],
//      "bottleneck_s", "bound_s", "bound_kind", "gap", "proven", "iteration_s", "iteration_bound_s",
//      "bubble", "bytes_sent", "fits", "solve_s"}
//
// A plan for direct sends, which PyTorch alone relays, also has "exported": {"send": "relay",
// "bottleneck_s", "iteration_s", "bytes_sent", "fits"}, what it takes as an export of it runs.
#pragma once

#include "core/plan/problem.h"

#include <string>

namespace stagecraft {

// The module of the first of a stage's nodes that takes time; empty: the model's own, or there is none.
std::string beginsIn(const PartitionProblem& problem, const std::vector<NodeId>& nodes);

std::string partitionJson(const PartitionProblem& problem, const Solution& solution);
// The same for reading: a line a stage, then bottleneck, bound, gap, iteration time.
std::string partitionText(const PartitionProblem& problem, const Solution& solution);

} // namespace stagecraft
