// Which groups to leave floating where a boundary has too many ideals (ideal_lattice.h).
#pragma once

#include "core/search/ideals/ideal_lattice.h"

#include <vector>

namespace stagecraft {

// The free groups of `places` that make the lattice wide: those with most others beside them (neither needed
// by them nor needing them) first, each counted without those before it. What is left is a chain.
std::vector<ReducedGroupId> floatingOrder(const ReducedProblem& reduced, const IdealLattice::Places& places);

} // namespace stagecraft
