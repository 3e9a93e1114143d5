// The stage of each node, as plans of recomputation and traces read it, and the nodes of a stage.
#pragma once

#include "core/plan/partition.h"
#include "core/recompute/plan.h"

#include <memory>
#include <vector>

namespace stagecraft {

std::shared_ptr<const NodeStages> nodeStages(const Partition& partition);
// Ascending; nodesByStage() has those of all.
std::vector<NodeId> nodesOf(const Partition& partition, StageId stage);

} // namespace stagecraft
