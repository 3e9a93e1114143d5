#include "core/partition/plan_bound.h"

#include "core/partition/bounds.h"
#include "core/partition/reduction.h"

namespace stagecraft {

Result<Bound> planBound(const PartitionProblem& problem, const PlanCost& cost)
{
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem));
    return BoundProver(reduced).lowerBound(cost.bottleneckTime.value());
}

} // namespace stagecraft
