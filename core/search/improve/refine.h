// Local search on whole plans by their full cost, for goals that are not separable by stage: the
// simulated time of a step, the load of devices that run several stages.
#pragma once

#include "core/base/work_budget.h"
#include "core/plan/problem.h"

#include <array>
#include <functional>

namespace stagecraft {

// Less is better, the first number first.
using PlanScore = std::array<double, 3>;
using ScorePlan = std::function<PlanScore(const PlanCost&)>;

// What breaks a limit first; then the time of the step, then the slowest device.
PlanScore iterationScore(const PlanCost& cost);
// What breaks a limit first; then the slowest device, then the time of the step.
PlanScore bottleneckScore(const PlanCost& cost);
// One of these, by the plan's objective.
PlanScore objectiveScore(const PlanCost& cost);

struct RefinedPlan
{
    Partition partition;
    PlanCost cost;
};

// Moves single boundaries, work from the slowest device to others by steps of every size, and its longest
// nodes to their neighbours, as long as the score gets better. `start` must be legal; so is the answer, and
// its score is not worse.
RefinedPlan refine(const PartitionProblem& problem, Partition start, const ScorePlan& score,
                   const ShouldStop& shouldStop = {});

} // namespace stagecraft
