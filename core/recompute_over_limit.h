// Where no plan was found that keeps the memory limits: other cuts, for less and less memory; and the plan
// that holds the least, if none of them keeps them either.
#pragma once

#include "core/recompute_attempts.h"
#include "core/recompute_bound.h"
#include "core/recompute_cuts.h"
#include "core/recomputed_problem.h"
#include "core/workflow.h"

#include <functional>
#include <string>
#include <string_view>

namespace stagecraft {

// A plan for a problem, in a share of the time that there is.
using QuickSearch = std::function<Result<Solution>(const PartitionProblem&)>;

// Until one fits: cuts for every block recomputed, for nothing, for what the nearest plan recomputes, and for
// less memory than that holds.
Result<void> tryAnyCuts(RecomputeAttempts& attempts, const RecomputedCuts& cuts, const QuickSearch& search,
                        const Progress& progress);

// As long as none fits: cuts for every block recomputed under lower and lower limits, for a plan that holds
// less than the nearest.
Result<void> tryLessOfEveryBlock(RecomputeAttempts& attempts, const Progress& progress);

// The plan that was found to hold the least on its fullest device, with bounds that need no search.
Result<RecomputedPlan> nearestPlan(RecomputeAttempts& attempts, const Progress& progress);

// The same, with what keeps others from fitting; refused, or if there is none, that alone.
Result<RecomputedPlan> nearestPlanOrWhy(RecomputeAttempts& attempts, RecomputeBounds& bounds,
                                        OverLimit overLimit, const Progress& progress);

// Why no plan keeps the limits that recomputes nothing, or as it was told, with what `ofAuto` says of all
// plans whatever they recompute: nearestPlanOrWhy(). More time is not asked for where there is none for
// certain.
std::string withWhyOfAuto(std::string why, std::string_view ofAuto);

} // namespace stagecraft
