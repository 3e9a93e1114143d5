#include "core/workflow.h"

#include "core/partition/evaluate.h"
#include "core/partition/search.h"
#include "core/profile/profile_model.h"
#include "core/trace/trace_model.h"

namespace stagecraft {

Result<Profile> traceAndProfile(const Model& model, const ProfileOptions& options, const Progress& progress)
{
    // A LibTorch that behaves otherwise would give wrong figures without a word. Fractions of a millisecond.
    STAGECRAFT_TRY(traceSelfTest());
    return profileModel(model, options, progress);
}

Result<PartitionProblem> planProblem(const Model& model, const Profile& profile, PartitionOptions options)
{
    for (std::vector<NodeId>& group : inseparableNodes(model))
        options.keepTogether.push_back(std::move(group));
    return makeProblem(model, profile, options);
}

Result<Solution> makePartition(const PartitionProblem& problem, const Progress& progress)
{
    return solve(problem, progress);
}

Result<PlanCost> evaluatePlan(const PartitionProblem& problem, const Partition& partition)
{
    STAGECRAFT_TRY(checkPartition(problem, partition));
    return evaluate(problem, partition);
}

Result<Layout> drawPlan(LayoutEngine& engine, std::shared_ptr<const Graph> graph, const GroupTree& groups,
                        const Partition& partition, const Expansion& expansion, const RunTreeOptions& options,
                        const Progress& progress)
{
    auto tree = std::make_shared<const RunTree>(makeRunTree(*graph, groups, partition, options));
    return engine.layout(std::move(graph), std::move(tree), expansion, progress);
}

} // namespace stagecraft
