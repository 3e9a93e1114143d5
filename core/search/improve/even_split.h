// The split that anybody would try first: the program in its order, cut so that all stages take as long as
// can be. What a search finds is to be no slower.
#pragma once

#include "core/base/progress.h"
#include "core/search/improve/refine.h"

#include <optional>

namespace stagecraft {

// Each boundary is where the time that has passed is nearest to its share of all, between nodes that may be
// separated. None where constraints stand against that, or it is over before its end. Says nothing of memory.
std::optional<Partition> evenSplit(const PartitionProblem& problem, const IsOver& isOver = {});

// What solve() makes as small as it can: by problem.options.objective and problem.limitsStep().
ScorePlan goalScore(const PartitionProblem& problem);

// The plan of `solution`, or where its step is longer than that of the even split, the one with the least
// bottleneck that is found among those whose step is not. The bound, which is of the bottleneck, stays: it
// holds for these, too. Nothing happens where the even split breaks a memory limit. Takes at most a quarter
// of options.timeLimit.
void makeNoSlowerThanEven(const PartitionProblem& problem, Solution& solution, const Progress& progress = {});

} // namespace stagecraft
