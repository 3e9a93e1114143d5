// Cuts moved a little, by estimates of what each stage then recomputes: what comes out is worth a trace.
#pragma once

#include "core/base/work_budget.h"
#include "core/plan/partition.h"
#include "core/plan/problem.h"

#include <functional>
#include <optional>

namespace stagecraft {

// The slowest stage of a plan; none: some stage has no choice that keeps its limit.
using PlanEstimate = std::function<std::optional<Seconds>(const Partition&)>;

// Each boundary to other legal places near by, as long as the estimate gets better. `partition` itself where
// it has no estimate.
Partition climbed(const PartitionProblem& problem, Partition partition, const PlanEstimate& estimate,
                  const IsOver& isOver);

} // namespace stagecraft
