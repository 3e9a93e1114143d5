#include "core/bound_of_all.h"

#include "core/search/bound/bounds.h"

#include <utility>

namespace stagecraft {

namespace {

constexpr Seconds momentOfBound(0.6); // in any case

} // namespace

Result<Bound> boundOfAll(const RecomputeGround& ground, const PlanCost& cost, const Progress& progress,
                         BoundBy by)
{
    STAGECRAFT_ASSIGN(bound, planBound(withoutMemoryLimits(ground.none), cost, progress));
    if (!cost.fits() || !ground.none.options.limitsMemory())
        return bound;
    Bound joint = recomputedBound(ground, cost.bottleneckTime, overOf(progress, momentOfBound), by);
    return joint.value > bound.value ? std::move(joint) : std::move(bound);
}

} // namespace stagecraft
