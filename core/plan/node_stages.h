// The stage of each node, as plans of recomputation and traces read it.
#pragma once

#include "core/plan/partition.h"
#include "core/recompute/plan.h"

#include <memory>

namespace stagecraft {

std::shared_ptr<const NodeStages> nodeStages(const Partition& partition);

} // namespace stagecraft
