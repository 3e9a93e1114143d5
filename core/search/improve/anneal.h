// Local search that may go through worse plans: annealing by falling thresholds.
//
// Single groups go to a neighbouring stage. A plan is the better the less it exceeds an aim that lies between
// the bound and the best plan; so work is shifted over many stages at once, where hillClimb (hill_climb.h)
// sees only moves that help at once. The same on every machine, unless stopped.
#pragma once

#include "core/base/work_budget.h"
#include "core/search/improve/exhaustive.h"
#include "core/search/improve/order_dp.h"

#include <cstdint>
#include <optional>

namespace stagecraft {

struct AnnealOptions
{
    double aimSeconds = 0;  // as good as can be hoped for
    double temperature = 1; // how much worse a plan may get at the beginning
    std::uint64_t steps = 1'000'000;
    std::uint64_t seed = 1;
    ShouldStop shouldStop;
};

// Of a plan that keeps all limits, for the slowest stage: the best that was met on the way, never worse.
Slicing anneal(const ReducedProblem& reduced, const Slicing& plan, const AnnealOptions& options);

// For goals that are not separable by stage, SlowestDevice or Step, by the full cost of the plan. From a plan
// whose value is `known` (infinite where it breaks a limit) to the best that was met, if it is better.
std::optional<GroupStages> annealWhole(const PartitionProblem& problem, const ReducedProblem& reduced,
                                       const GroupStages& start, double known, PlanGoal goal,
                                       const AnnealOptions& options);

} // namespace stagecraft
