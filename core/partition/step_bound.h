// A time of a whole step that no plan can beat: from the bound on its slowest device, and from how long the
// devices must wait for each other under the schedule.
#pragma once

#include "core/partition/problem.h"

namespace stagecraft {

// `slowest` bounds the load of the slowest device (Solution::bound).
//
// Every device has M microbatches to bear, which gives M * slowest. Where values are relayed, stage j cannot
// begin before a microbatch has come down to it, nor end before its gradients have gone back up; between, it
// waits at least for
//
//     GPipe   the last forward of stage j until the first backward:     sum over i > j of x_i
//     1F1B    the same twice, at the beginning and at the end, but for the forwards and backwards of other
//             microbatches that fit in:                               2 sum over i > j of x_i - (K - 1 - j)
//             x_j
//
// where x_i is what stage i computes for one microbatch. Summed over the devices this is a weighted sum of
// the x_i, which all plans share out; none may be more than a share of the step.
Seconds stepBound(const PartitionProblem& problem, const Bound& slowest);

} // namespace stagecraft
