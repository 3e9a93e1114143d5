// Stages of a model from where they end along its chain.
#pragma once

#include "core/plan/partition.h"
#include "core/plan/problem.h"
#include "core/recompute_chain.h"

#include <cstddef>
#include <span>
#include <vector>

namespace stagecraft {

// `ends`: of each stage the place, ascending. Of a span the first nodes are before it that take about as long
// as it may; what floats is where there is time for it, `spare` seconds of each stage, and of these where the
// least is sent; who must be with others may be later. Legal but that stages may be empty.
Partition partitionAt(const PartitionProblem& problem, const ModelChain& chain,
                      std::span<const std::size_t> ends, std::vector<double> spare);

} // namespace stagecraft
