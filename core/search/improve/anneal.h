// Local search that may go through worse plans: annealing by falling thresholds.
//
// Single groups go to a neighbouring stage. A plan is the better the less its stages exceed an aim that lies
// between the bound and the best plan; so work is shifted over many stages at once, where polish (polish.h)
// sees only moves that help at once.
#pragma once

#include "core/base/work_budget.h"
#include "core/search/improve/order_dp.h"

#include <cstdint>

namespace stagecraft {

struct AnnealOptions
{
    double aim = 0; // load that no stage should exceed
    std::uint64_t steps = 1'000'000;
    std::uint64_t seed = 1;
    ShouldStop shouldStop;
};

// The best plan met on the way from `plan`, never worse than it. The same on every machine, unless stopped.
Slicing anneal(const ReducedProblem& reduced, const Slicing& plan, const AnnealOptions& options);

} // namespace stagecraft
