// The cheapest closed set: minimum cut in a hypergraph with precedences.
#pragma once

#include "core/base/work_budget.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace stagecraft {

// Items 0 .. itemCount-1 are to be divided into a left and a right side; if `second` of a precedence is left,
// so is `first`. Each edge of the hypergraph with members on both sides costs its price.
struct ClosureCut
{
    struct Edge
    {
        double price = 0;
        std::vector<std::uint32_t> members;
        bool hasLeft = false;  // a member that is left for sure
        bool hasRight = false; // a member that is right for sure
    };

    std::size_t itemCount = 0;
    std::vector<Edge> edges;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> precedences;
};

// The least price of all ways to part them (Dinic's algorithm). Never more than the true minimum, but for
// rounding; less where it is over before the end.
double minimumCut(const ClosureCut& problem, const IsOver& isOver = {});

} // namespace stagecraft
