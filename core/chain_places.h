// Where stages can end along a chain of links (recompute_chain.h): before each link, and within it.
#pragma once

#include "core/plan/problem.h"
#include "core/recompute_chain.h"

namespace stagecraft {

// To a chain that has its nodes and links: its places, and whether spans of them have members.
void addPlaces(const PartitionProblem& problem, Members members, ModelChain& chain);

} // namespace stagecraft
