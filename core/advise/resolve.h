// Splitting anew around what a person has decided: the best plan that keeps it.
#pragma once

#include "core/base/progress.h"
#include "core/plan/problem.h"

#include <vector>

namespace stagecraft {

// What stays as it is in `current`, besides the pins of the problem. Boundaries stay where they are between
// two stages: what is before one stays before it, and what is behind it behind it.
struct KeptParts
{
    std::vector<NodeId> nodes; // stay in their stage
    std::vector<BoundaryId> boundaries;
    std::vector<StageId> stages; // stay whole: both of their boundaries, where they have such
};

// The best plan that keeps them, with a bound for such plans; never worse than `current`, which is the answer
// where nothing better is found in options.timeLimit. Fails where `current` is not a plan of the problem, or
// stopped before it could begin.
Result<Solution> resolveAround(const PartitionProblem& problem, const Partition& current,
                               const KeptParts& kept, const Progress& progress = {});

} // namespace stagecraft
