// A time of a whole step that no plan can beat: from the bound on its slowest device, and from how long the
// devices must wait for each other under the schedule.
#pragma once

#include "core/base/work_budget.h"
#include "core/plan/problem.h"

namespace stagecraft {

// `slowest` bounds the load of the slowest device (Solution::bound): every device has M microbatches to bear,
// which gives M * slowest. All that is known at a glance, in microseconds.
Seconds quickStepBound(const PartitionProblem& problem, const Bound& slowest);

// At least that. Where values are relayed, each stage waits for the one before it, in every schedule. So a
// step takes at least as long as any chain of actions that wait for each other, and as any mean of such
// chains (PathMix): it costs so much a second of work to put a part of the model into stage i, and each part
// costs at least as much as in the stage where it is cheapest. Which mean says most is found by a game: work
// goes where it is cheap, chains go where it is.
Seconds stepBound(const PartitionProblem& problem, const Bound& slowest, const IsOver& isOver = {});
// The better of that, of what the search found out, and of what is certain of all plans whose step is shorter
// than this one's: they leave each part only some stages, and must send something over each boundary.
// A lower one where it is over before its end.
Seconds stepBound(const PartitionProblem& problem, const Solution& solution, const IsOver& isOver = {});

// The solution with that bound, unless it has one, as from a search for the shortest step.
Solution withStepBound(const PartitionProblem& problem, Solution solution, const IsOver& isOver = {});

} // namespace stagecraft
