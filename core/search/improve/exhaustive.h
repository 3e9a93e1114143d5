// Exhaustive search: all plans of a small problem, but for those that a bound rules out.
//
// For goals that are not separable by stage: the load of devices that run several stages, the simulated step,
// the memory that the fullest device needs. What the groups placed so far cost is certain (Loads), so a
// branch ends where that is no better than the best plan known.
#pragma once

#include "core/base/work_budget.h"
#include "core/search/reduce/reduction.h"

#include <optional>

namespace stagecraft {

enum class PlanGoal : std::uint8_t {
    SlowestDevice, // its load, in seconds
    Step,          // the simulated time of a step, in seconds
    FullestDevice, // the most memory that a stage or a device needs, in bytes; limits do not count
};

struct ExhaustiveAnswer
{
    bool isComplete = false;           // no plan is better than what is known now
    std::optional<GroupStages> stages; // the best plan, if one is better than what was known before
    double value = infinite;           // of the best plan known
};

// `known` is the value of a plan at hand; infinite: there is none. Gives up when `shouldStop` says so.
ExhaustiveAnswer searchAllPlans(const PartitionProblem& problem, const ReducedProblem& reduced, PlanGoal goal,
                                double known, const ShouldStop& shouldStop);

// What the goal says of a complete plan, by the same reckoning as evaluate(); infinite where limits are
// broken that count.
double wholeValue(PlanGoal goal, const PlanCost& cost);

} // namespace stagecraft
