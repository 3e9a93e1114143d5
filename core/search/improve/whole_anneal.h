// Annealing for goals that do not come apart by stage: single groups move to neighbouring stages, worse plans
// being tolerated less and less, by the full cost of the plan (WholeLoads).
#pragma once

#include "core/search/improve/exhaustive.h"

namespace stagecraft {

struct WholeAnnealOptions
{
    WholeGoal goal = WholeGoal::SlowestDevice; // or Step
    double aim = 0;                            // value that is as good as can be hoped for
    double heat = 1;                           // how much worse a plan may get at the beginning
    std::uint64_t steps = 100'000;
    std::uint64_t seed = 1;
    ShouldStop shouldStop;
};

// From a plan whose value is `known` (infinite where it breaks a limit) to the best that was seen, if it is
// better.
std::optional<GroupStages> annealWhole(const PartitionProblem& problem, const ReducedProblem& reduced,
                                       const GroupStages& start, double known,
                                       const WholeAnnealOptions& options);

} // namespace stagecraft
