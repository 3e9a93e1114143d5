// The part of the ideal search that looks at pairs: for costs that do not come apart (ideal_search.h).
#pragma once

#include "core/search/ideals/ideal_lattice.h"
#include "core/search/ideals/ideal_search.h"

#include <vector>

namespace stagecraft {

// `lattices` are those of the boundaries, one after the other.
SplitAnswer findSplitByPairs(const ReducedProblem& reduced, const StageWindows& windows,
                             const std::vector<const IdealLattice*>& lattices, double limit,
                             const IdealSearchLimits& limits);

} // namespace stagecraft
