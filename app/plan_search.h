// Searching for a plan on behalf of a person, who wants to see one even where none can be right.
#pragma once

#include "core/base/progress.h"
#include "core/partition/problem.h"

#include <string>

namespace stagecraft {

struct FoundPlan
{
    Solution solution;
    std::string whyOverLimit; // not empty: nothing fits into memory; this is the best plan that does not
};

// The best plan around the pins of the problem; never worse than `current` where that is one of its plans.
// Where no plan keeps within the memory limits, the best that ignores them, its cost saying which stages do
// not fit. Fails where the other constraints contradict each other.
Result<FoundPlan> findPlan(const PartitionProblem& problem, const Partition& current,
                           const Progress& progress);

} // namespace stagecraft
