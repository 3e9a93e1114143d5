// Topological orders worth slicing: which one is good depends on the shape of the graph, so several are
// tried.
#pragma once

#include "core/search/improve/order_dp.h"

#include <cstdint>

namespace stagecraft {

enum class OrderRule : std::uint8_t {
    Program,    // as near to program order as the groups allow
    DepthFirst, // what became ready last comes first
    LeastCut,   // what adds least to the bytes in transit comes first
    NoisyCut,   // the same, with seeded noise
};

enum class OrderDirection : std::uint8_t {
    Forward,
    Backward, // from the outputs: things are made as late as possible
};

GroupOrder makeOrder(const ReducedProblem& reduced, OrderRule rule, OrderDirection direction,
                     std::uint64_t seed = 0);

// Stage by stage, within a stage as in program order.
GroupOrder orderOfStages(const GroupStages& stages);

} // namespace stagecraft
