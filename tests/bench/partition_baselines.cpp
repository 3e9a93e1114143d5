#include "partition_baselines.h"

#include "core/search/improve/order_dp.h"
#include "core/search/improve/orders.h"
#include "core/search/reduce/reduction.h"

#include <limits>

namespace stagecraft::bench {

namespace {

// Cuts program order where the running sum of `weight` passes j / K of the whole; no stage stays empty.
Partition equalShares(const PartitionProblem& problem,
                      const std::function<double(const ReducedGroup&)>& weight)
{
    const ReducedProblem reduced = reduceProblem(problem).value();
    const std::size_t stages = reduced.stageCount();
    double total = 0;
    for (const ReducedGroup& group : reduced.groups)
        total += weight(group);
    GroupStages plan(reduced.size(), 0);
    double sum = 0;
    std::uint32_t stage = 0;
    bool used = false;
    for (const ReducedGroupId g : reduced.groups.ids()) {
        const std::size_t left = reduced.size() - g.index();
        const bool full = sum >= total * (stage + 1) / static_cast<double>(stages) * (1 - 1e-12);
        if (stage + 1 < stages && used && (full || left < stages - stage)) {
            ++stage;
            used = false;
        }
        plan[g] = stage;
        used = true;
        sum += weight(reduced.groups[g]);
    }
    return expand(reduced, plan);
}

// A stage takes what comes next until it has its share of the whole; what is too much is left to the last.
Partition greedyThreshold(const PartitionProblem& problem)
{
    const ReducedProblem reduced = reduceProblem(problem).value();
    const std::size_t stages = reduced.stageCount();
    const double share = reduced.totalSeconds / static_cast<double>(stages);
    GroupStages plan(reduced.size(), 0);
    double sum = 0;
    std::uint32_t stage = 0;
    for (const ReducedGroupId g : reduced.groups.ids()) {
        const std::size_t left = reduced.size() - g.index();
        const bool over = sum + reduced.groups[g].seconds > share || left < stages - stage;
        if (stage + 1 < stages && sum > 0 && over) {
            ++stage;
            sum = 0;
        }
        plan[g] = stage;
        sum += reduced.groups[g].seconds;
    }
    return expand(reduced, plan);
}

Partition computeOnly(const PartitionProblem& problem)
{
    PartitionProblem silent = problem;
    silent.options.objective = Objective::Compute;
    const ReducedProblem reduced = reduceProblem(silent).value();
    const GroupOrder order = makeOrder(reduced, OrderRule::Program, OrderDirection::Forward);
    return expand(reduced, sliceOrder(reduced, order, std::numeric_limits<double>::infinity())->stages);
}

} // namespace

std::vector<Baseline> baselines()
{
    const auto nodes = [](const ReducedGroup& group) { return static_cast<double>(group.nodes.size()); };
    const auto bytes = [](const ReducedGroup& group) { return group.held.state.asDouble(); };
    return {
        {"equal nodes", [=](const PartitionProblem& problem) { return equalShares(problem, nodes); }},
        {"equal bytes", [=](const PartitionProblem& problem) { return equalShares(problem, bytes); }},
        {"greedy", greedyThreshold},
        {"compute only", computeOnly},
        {"mixed pipe", mixedPipe},
#ifdef STAGECRAFT_METIS
        {"METIS", metis},
#endif
    };
}

} // namespace stagecraft::bench
