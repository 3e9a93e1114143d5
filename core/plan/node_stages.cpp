#include "core/plan/node_stages.h"

namespace stagecraft {

std::shared_ptr<const NodeStages> nodeStages(const Partition& partition)
{
    auto stages = std::make_shared<NodeStages>(partition.stageOf.size(), 0);
    for (const NodeId node : partition.stageOf.ids())
        (*stages)[node] = partition.stageOf[node].index();
    return stages;
}

} // namespace stagecraft
