#include "core/search/bound/plan_bound.h"

#include "core/search/bound/bounds.h"
#include "core/search/bound/device_bound.h"
#include "core/search/reduce/reduction.h"

namespace stagecraft {

Result<Bound> planBound(const PartitionProblem& problem, const PlanCost& cost, const Progress& progress)
{
    const IsOver isCancelled = [&progress] { return progress.stopRequested(); };
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem, Joining::Lossless, isCancelled));
    const double reached = cost.bottleneckTime.value();
    const ShouldStop stop = [&](std::uint64_t) { return isCancelled(); };
    Bound bound = problem.options.sharesDevices()
                      ? deviceBound(reduced, problem.options.deviceCount(), reached, stop)
                      : BoundProver(reduced).lowerBound(reached, stop);
    if (isCancelled()) // what it has by now is not the best that it finds
        return cancelled();
    return bound;
}

} // namespace stagecraft
