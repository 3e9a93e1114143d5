// Why no plan fits, for a person: which stage, and what would do.
#pragma once

#include "core/partition/reduction.h"

namespace stagecraft {

// `reduced` has no plan, or none was found, that keeps its constraints.
Error explainInfeasible(const PartitionProblem& problem, const ReducedProblem& reduced);

} // namespace stagecraft
