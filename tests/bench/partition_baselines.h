// How others split a model, in our own words: what a plan is compared with.
#pragma once

#include "core/plan/problem.h"

#include <functional>
#include <string>
#include <vector>

namespace stagecraft::bench {

struct Baseline
{
    std::string name;
    std::function<Partition(const PartitionProblem&)> split;
};

// Equal numbers of nodes; equal bytes of parameters and their state; greedy, a stage ends when it has its
// share of the time; the best split of program order by compute time alone: these cut program order. Mixed
// pipe; METIS, where it was there when the bench was built. All keep groups whole.
std::vector<Baseline> baselines();

Partition mixedPipe(const PartitionProblem& problem);
Partition metis(const PartitionProblem& problem); // with STAGECRAFT_METIS; a stage may stay empty

} // namespace stagecraft::bench
