#include "core/workflow.h"

#include "core/advise/infeasible.h"
#include "core/advise/resolve.h"
#include "core/plan/evaluate.h"
#include "core/profile/model/profile_model.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/search.h"
#include "core/trace/trace_model.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Has a moment, also where the search took all the time.
Solution bounded(const PartitionProblem& problem, Solution solution, const Progress& progress)
{
    return withStepBound(problem, std::move(solution), overOf(progress, Seconds(0.3)));
}

} // namespace

Result<Profile> traceAndProfile(const Model& model, const ProfileOptions& options, const Progress& progress)
{
    // A LibTorch that behaves otherwise would give wrong figures without a word. Fractions of a millisecond.
    STAGECRAFT_TRY(traceSelfTest());
    return profileModel(model, options, progress);
}

Result<PartitionProblem> planProblem(const Model& model, const Profile& profile, PartitionOptions options,
                                     const Progress& progress)
{
    for (std::vector<NodeId>& group : inseparableNodes(model))
        options.keepTogether.push_back(std::move(group));
    return makeProblem(model, profile, options, progress);
}

std::vector<Bytes> planLimits(const DeviceSpec& device)
{
    if (device.memory <= Bytes{})
        return {};
    return {std::max(Bytes{}, device.memory - device.contextMemory)};
}

Result<FoundPlan> findPlan(const PartitionProblem& problem, const FindOptions& options,
                           const Progress& progress)
{
    const Partition* current = options.current;
    const bool isPlan =
        current && checkProblem(problem).has_value() && checkPartition(problem, *current).has_value();
    Result<Solution> solution =
        isPlan ? resolveAround(problem, *current, {}, progress) : solveOrExplain(problem, progress);
    if (solution.has_value())
        return FoundPlan{bounded(problem, *std::move(solution), progress), {}};
    if (solution.error().code != ErrorCode::Infeasible || options.overLimit == OverLimit::Refused)
        return solution.error();
    STAGECRAFT_ASSIGN(unlimited, solve(withoutMemoryLimits(problem), progress));
    unlimited.cost = evaluate(problem, unlimited.partition);
    return FoundPlan{bounded(problem, std::move(unlimited), progress), solution.error().message};
}

Result<Solution> evaluatePlan(const PartitionProblem& problem, Partition partition, const Progress& progress)
{
    STAGECRAFT_TRY(checkPartition(problem, partition));
    Solution solution{.partition = std::move(partition)};
    solution.cost = evaluate(problem, solution.partition);
    STAGECRAFT_ASSIGN(bound, planBound(problem, solution.cost, progress));
    solution.bound = std::move(bound);
    return bounded(problem, std::move(solution), progress);
}

Result<Layout> drawPlan(LayoutEngine& engine, std::shared_ptr<const Graph> graph, const GroupTree& groups,
                        const Partition& partition, const Expansion& expansion, const RunTreeOptions& options,
                        const Progress& progress)
{
    auto tree = std::make_shared<const RunTree>(makeRunTree(*graph, groups, partition, options));
    return engine.layout(std::move(graph), std::move(tree), expansion, progress);
}

} // namespace stagecraft
