#include "core/recompute_without.h"

#include "core/plan/evaluate.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"

#include <utility>

namespace stagecraft {

namespace {

constexpr Seconds momentOfStepBound(0.3);

} // namespace

Result<std::optional<RecomputedPlan>> findWithout(RecomputedProblem none, MemoryLimits limits,
                                                  RecomputeAttempts& attempts, const QuickSearch& search,
                                                  const Progress& progress)
{
    const PartitionProblem unlimited = withoutMemoryLimits(none.problem);
    Result<Solution> found = search(limits == MemoryLimits::Kept ? none.problem : unlimited);
    if (!found.has_value())
        return found.error().code == ErrorCode::Infeasible
                   ? Result<std::optional<RecomputedPlan>>(std::nullopt)
                   : found.error();
    found->cost = evaluate(none.problem, found->partition);
    if (!found->cost.fits())
        return std::optional<RecomputedPlan>();
    STAGECRAFT_ASSIGN(least, planBound(unlimited, found->cost, progress));
    if (limits == MemoryLimits::Kept || found->bound.value < least.value)
        found->bound = std::move(least);
    if (found->bound.value >= found->cost.bottleneckTime * (1 - toGain)) {
        Solution solution =
            withStepBound(none.problem, *std::move(found), overOf(progress, momentOfStepBound));
        return std::optional(RecomputedPlan{std::move(none), {std::move(solution), {}}});
    }
    // Even stages that recompute may be faster.
    attempts.take({std::move(none), found->partition, found->cost});
    return std::optional<RecomputedPlan>();
}

} // namespace stagecraft
