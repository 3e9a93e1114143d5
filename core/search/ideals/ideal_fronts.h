// The ideal search for relayed values under memory limits (ideal_search.h).
//
// Time and memory of a stage are both differences of what its two ends hold. So a begin is as good as another
// if it has done no less (time less transfer) and no less has been put away (bytes): of all begins within an
// ideal only the best, a front in these two, must be remembered, and the fronts spread through the lattice
// along its steps. Memory that does not add up, shared by groups or transient, is left out: the front finds
// whatever is there, and what it finds is looked at again.
#pragma once

#include "core/search/ideals/ideal_lattice.h"
#include "core/search/ideals/ideal_search.h"

#include <vector>

namespace stagecraft {

// `lattices` are those of the boundaries, one after the other. A refusal stands; gave up: too many labels, or
// what was found breaks a limit after all.
SplitAnswer findSplitByFronts(const ReducedProblem& reduced, const StageWindows& windows,
                              const std::vector<const IdealLattice*>& lattices, double limit,
                              const IdealSearchLimits& limits);

} // namespace stagecraft
