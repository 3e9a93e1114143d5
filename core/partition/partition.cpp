#include "core/partition/partition.h"

#include <algorithm>

namespace stagecraft {

Partition singleStage(std::size_t nodeCount)
{
    return {.stageCount = 1, .stageOf = Table<NodeId, StageId>(nodeCount, StageId(0))};
}

std::vector<std::vector<NodeId>> nodesByStage(const Partition& partition)
{
    std::vector<std::vector<NodeId>> stages(partition.stageCount);
    for (NodeId node : partition.stageOf.ids())
        stages[partition.stageOf[node].index()].push_back(node);
    return stages;
}

bool PlanCost::fits() const
{
    return std::ranges::all_of(stages, &StageCost::fits) && std::ranges::all_of(devices, &DeviceCost::fits);
}

double Solution::gap() const
{
    const Seconds reached = cost.bottleneckTime;
    return reached > bound.value ? (reached - bound.value) / reached : 0;
}

bool Solution::proven() const
{
    return gap() <= 1e-4;
}

} // namespace stagecraft
