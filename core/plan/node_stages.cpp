#include "core/plan/node_stages.h"

namespace stagecraft {

std::shared_ptr<const NodeStages> nodeStages(const Partition& partition)
{
    auto stages = std::make_shared<NodeStages>(partition.stageOf.size(), 0);
    for (const NodeId node : partition.stageOf.ids())
        (*stages)[node] = partition.stageOf[node].index();
    return stages;
}

std::vector<NodeId> nodesOf(const Partition& partition, StageId stage)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : partition.stageOf.ids())
        if (partition.stageOf[node] == stage)
            nodes.push_back(node);
    return nodes;
}

} // namespace stagecraft
