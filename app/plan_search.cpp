#include "app/plan_search.h"

#include "core/partition/resolve.h"
#include "core/workflow.h"

namespace stagecraft {

Result<FoundPlan> findPlan(const PartitionProblem& problem, const Partition& current,
                           const Progress& progress)
{
    const bool isPlan = checkProblem(problem).has_value() && checkPartition(problem, current).has_value();
    Result<Solution> solution =
        isPlan ? resolveAround(problem, current, {}, progress) : makePartition(problem, progress);
    if (solution.has_value())
        return FoundPlan{*std::move(solution), {}};
    if (solution.error().code != ErrorCode::Infeasible)
        return solution.error();
    PartitionProblem relaxed = problem;
    for (Bytes& limit : relaxed.options.memoryLimits)
        limit = Bytes::max();
    STAGECRAFT_ASSIGN(unlimited, makePartition(relaxed, progress));
    STAGECRAFT_ASSIGN(cost, evaluatePlan(problem, unlimited.partition));
    unlimited.cost = std::move(cost);
    return FoundPlan{std::move(unlimited), solution.error().message};
}

} // namespace stagecraft
