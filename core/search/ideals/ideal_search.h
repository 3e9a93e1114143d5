// The proof engine: is there a plan whose bottleneck is at most T?
//
// Boundary after boundary it finds every ideal that can be there. With relayed values (and without memory
// limits) a stage from ideal I to ideal J costs
//
//     time(J) - time(I) + cut(I) + cut(J) <= T   <=>   time(J) + cut(J) <= T + (time(I) - cut(I))
//
// so J can be reached if the largest time(I) - cut(I) of all ideals I within J that can be reached is large
// enough; and that maximum spreads through the lattice along its steps. The work is linear in the number of
// ideals, where dynamic programs over pairs of ideals (Tarnawski et al., NeurIPS 2020) take its square.
// Direct sends and memory limits are not separable like this: there the formula, with what must be paid for
// sure, first sieves the ideals, and pairs of what is left are looked at one by one.
//
// Boundaries with too many ideals leave, where asked to, some groups floating (ideal_lattice.h): what is
// reached there is a span of times, and floating groups fill the stages like sand. Then a refusal stands, but
// what is found is a hint and may turn out dearer.
#pragma once

#include "core/search/ideals/split_question.h"

namespace stagecraft {

// `windows` are those of `limit` (BoundProver::windows).
SplitAnswer findSplit(const ReducedProblem& reduced, const StageWindows& windows, double limit,
                      const IdealSearchLimits& limits);

} // namespace stagecraft
