// Cuts moved a little, by estimates of what each stage then recomputes: what comes out is worth a trace.
#pragma once

#include "core/base/work_budget.h"
#include "core/plan/partition.h"
#include "core/plan/problem.h"

#include <functional>
#include <optional>
#include <random>
#include <vector>

namespace stagecraft {

// What each stage of a plan takes, or is as bad as if it took; none: it is not possible, or one takes more
// than `most`.
using PlanEstimate = std::function<std::optional<std::vector<Seconds>>(const Partition&, Seconds most)>;

// Each boundary to other legal places near by, as long as the slowest stage gets faster, or others that are
// nearly as slow: room that is far from the slowest stage comes to it step by step. `partition` itself where
// it has no estimate.
Partition climbed(const PartitionProblem& problem, Partition partition, const PlanEstimate& estimate,
                  const IsOver& isOver);

// Each boundary at some other place near by, by `draw`: another start to climb from.
Partition shaken(const PartitionProblem& problem, Partition partition, std::minstd_rand& draw);

// With one boundary of a stage at a place near by.
std::vector<Partition> nearBy(const PartitionProblem& problem, const Partition& partition, StageId stage);

// Little more than the slowest, by how many are nearly as slow.
double slownessOf(const std::vector<Seconds>& loads);

} // namespace stagecraft
