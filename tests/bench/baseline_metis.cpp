// A balanced split of the graph without its directions (METIS), and then the least that makes it legal.
#include "partition_baselines.h"

#include "core/search/reduce/reduction.h"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace stagecraft::bench {

namespace {

// Weights as METIS wants them: whole numbers.
idx_t weightOf(double part, double whole)
{
    return whole > 0 ? std::max<idx_t>(1, static_cast<idx_t>(std::llround(part / whole * 1e6))) : 1;
}

std::vector<idx_t> parts(const ReducedProblem& reduced)
{
    double most = 0;
    Table<ReducedGroupId, std::map<idx_t, double>> edges(reduced.size());
    for (const ReducedValue& value : reduced.values) {
        const double time = reduced.transfer(value.size, 0);
        for (const ReducedGroupId pin : value.pins) {
            if (pin == value.producer)
                continue;
            edges[value.producer][static_cast<idx_t>(pin.index())] += time;
            edges[pin][static_cast<idx_t>(value.producer.index())] += time;
            most = std::max(most, edges[pin][static_cast<idx_t>(value.producer.index())]);
        }
    }
    std::vector<idx_t> starts{0};
    std::vector<idx_t> ends;
    std::vector<idx_t> edgeWeights;
    std::vector<idx_t> nodeWeights;
    for (const ReducedGroupId group : reduced.groups.ids()) {
        nodeWeights.push_back(weightOf(reduced.groups[group].seconds, reduced.totalSeconds));
        for (const auto& [other, time] : edges[group]) {
            ends.push_back(other);
            edgeWeights.push_back(weightOf(time, most * 1e3));
        }
        starts.push_back(static_cast<idx_t>(ends.size()));
    }
    auto count = static_cast<idx_t>(reduced.size());
    auto stages = static_cast<idx_t>(reduced.stageCount());
    idx_t constraints = 1;
    idx_t cut = 0;
    std::vector<idx_t> part(reduced.size(), 0);
    METIS_PartGraphKway(&count, &constraints, starts.data(), ends.data(), nodeWeights.data(), nullptr,
                        edgeWeights.data(), &stages, nullptr, nullptr, nullptr, &cut, part.data());
    return part;
}

} // namespace

Partition metis(const PartitionProblem& problem)
{
    const ReducedProblem reduced = reduceProblem(problem).value();
    const std::vector<idx_t> part = parts(reduced);
    const std::size_t stages = reduced.stageCount();
    // Parts in the order of where they lie in the graph.
    std::vector<double> place(stages, 0);
    std::vector<double> weight(stages, 0);
    for (const ReducedGroupId group : reduced.groups.ids()) {
        const auto p = static_cast<std::size_t>(part[group.index()]);
        place[p] += reduced.groups[group].seconds * group.index();
        weight[p] += reduced.groups[group].seconds;
    }
    std::vector<std::uint32_t> order(stages);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t p) { return weight[p] > 0 ? place[p] / weight[p] : 0; });
    std::vector<std::uint32_t> stageOfPart(stages);
    for (std::uint32_t stage = 0; stage < stages; ++stage)
        stageOfPart[order[stage]] = stage;
    // What comes after something goes at least as far behind.
    GroupStages plan(reduced.size());
    for (const ReducedGroupId group : reduced.groups.ids()) {
        plan[group] = stageOfPart[static_cast<std::size_t>(part[group.index()])];
        for (const ReducedGroupId before : reduced.groups[group].before)
            plan[group] = std::max(plan[group], plan[before]);
    }
    return expand(reduced, plan);
}

} // namespace stagecraft::bench
