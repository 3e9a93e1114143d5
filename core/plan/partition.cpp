#include "core/plan/partition.h"

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

std::size_t PlanCost::deviceOf(StageId stage) const
{
    const auto runs = [&](const DeviceCost& device) {
        return std::ranges::binary_search(device.stages, stage);
    };
    return static_cast<std::size_t>(std::ranges::find_if(devices, runs) - devices.begin());
}

Bytes PlanCost::peakMemory() const
{
    Bytes most;
    for (const DeviceCost& device : devices)
        most = std::max(most, device.peakMemory);
    return most;
}

bool dominates(const PlanCost& plan, const PlanCost& other)
{
    const Bytes peak = plan.peakMemory();
    const Bytes otherPeak = other.peakMemory();
    return plan.iteration <= other.iteration && peak <= otherPeak && plan.bytesSent <= other.bytesSent &&
           (plan.iteration < other.iteration || peak < otherPeak || plan.bytesSent < other.bytesSent);
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
