#include "core/partition/plan_bound.h"

#include "core/partition/bounds.h"
#include "core/partition/device_bound.h"
#include "core/partition/reduction.h"

namespace stagecraft {

Result<Bound> planBound(const PartitionProblem& problem, const PlanCost& cost)
{
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem));
    const double reached = cost.bottleneckTime.value();
    if (problem.options.sharesDevices())
        return deviceBound(reduced, problem.options.deviceCount(), reached);
    return BoundProver(reduced).lowerBound(reached);
}

} // namespace stagecraft
