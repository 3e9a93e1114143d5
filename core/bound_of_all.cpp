#include "core/bound_of_all.h"

#include "core/search/bound/bounds.h"
#include "core/search/search.h"

#include <numeric>
#include <utility>

namespace stagecraft {

namespace {

constexpr Seconds momentOfBound(0.6);   // in any case
constexpr double shareOfProof = 0.05;   // of the time that there is
constexpr double nearlyReached = 0.999; // nothing to gain from a proof

// Of plans that run nothing again: what is known without a search, and what one proves in a moment.
Result<Bound> boundWithoutLimits(PartitionProblem problem, const PlanCost& cost, const Progress& progress)
{
    STAGECRAFT_ASSIGN(bound, planBound(problem, cost, progress));
    if (bound.value >= cost.bottleneckTime * nearlyReached)
        return bound;
    problem.options.timeLimit = problem.options.timeLimit * shareOfProof;
    Result<Solution> found = solve(problem, progress.silent());
    return found.has_value() && found->bound.value > bound.value ? std::move(found->bound) : std::move(bound);
}

} // namespace

Seconds evenShare(const PartitionProblem& problem)
{
    Seconds all;
    for (const ProblemNode& node : problem.nodes)
        all += node.time();
    return all / std::accumulate(problem.options.speeds.begin(), problem.options.speeds.end(), 0.0);
}

Result<Bound> boundOfAll(RecomputeBounds& bounds, const PlanCost& cost, const Progress& progress, BoundBy by,
                         std::optional<Partition>* cuts)
{
    const RecomputeGround& ground = bounds.ground();
    STAGECRAFT_ASSIGN(bound, boundWithoutLimits(withoutMemoryLimits(ground.none), cost, progress));
    if (!cost.fits() || !ground.none.options.limitsMemory())
        return bound;
    Bound joint = bounds.of(cost.bottleneckTime, overOf(progress, momentOfBound), by, {}, cuts);
    return joint.value > bound.value ? std::move(joint) : std::move(bound);
}

Result<Bound> boundOfAll(const RecomputeGround& ground, const PlanCost& cost, const Progress& progress)
{
    RecomputeBounds bounds(ground);
    return boundOfAll(bounds, cost, progress, BoundBy::Stages);
}

} // namespace stagecraft
