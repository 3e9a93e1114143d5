// solve: the best plan that can be found in time, with the proof of how good it is.
#pragma once

#include "core/base/progress.h"
#include "core/plan/problem.h"

namespace stagecraft {

// Minimises the load of the slowest device over all legal plans within the memory limits, or the simulated
// time of a step (options.objective); the bound is always on the slowest device. Where problem.stepLimit says
// so, only plans count whose step is no longer than that of an even split; the bound holds for all the same.
// Always a plan and a bound; stops early when they meet, when options.timeLimit has passed, or, with the best
// so far, when `progress` asks to stop and a plan is there. The limit is counted in work (work_budget.h): the
// same problem gives the same plan on every machine, unless Solution::cutShort says that the clock ended it.
//
// Fails with Infeasible where constraints contradict each other, and where no plan keeps them or none
// was found; advise/infeasible.h finds out why.
Result<Solution> solve(const PartitionProblem& problem, const Progress& progress = {});

} // namespace stagecraft
