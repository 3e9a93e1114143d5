// Large-neighbourhood search: everything near the boundaries moves at once.
//
// Single moves (anneal.h) do not find what takes several groups that go forth and others that
// come back. Here most groups stay in their stages, those near a boundary and some chosen by chance may cross
// it, and the proof engine (ideal_search.h) looks at all plans that this leaves.
#pragma once

#include "core/base/work_budget.h"
#include "core/search/improve/order_dp.h"

#include <cstdint>

namespace stagecraft {

struct LargeNeighbourhoodOptions
{
    double boundSeconds = 0; // that no plan beats
    int effort = 0;          // each step up looks at larger neighbourhoods
    std::uint64_t seed = 1;
    ShouldStop shouldStop;
};

// `plan` or a better one. The same on every machine, unless stopped.
Slicing searchNearby(const ReducedProblem& reduced, Slicing plan, const LargeNeighbourhoodOptions& options);

} // namespace stagecraft
