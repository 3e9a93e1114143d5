// What nodes keep from forward to backward, by the storage: one that several keep is held by every stage that
// has one of them.
#pragma once

#include "core/plan/partition.h"
#include "core/plan/problem.h"
#include "core/profile/profile.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

// Replaces what the problem says is saved, of nodes, shared and in parts, with what the profile says.
void takeSaved(const Profile& profile, PartitionProblem& problem);

// What is let go after the first part of a split backward pass: what is saved by nodes alone that lead to no
// weight whose gradient waits. PyTorch keeps the graph of a node that waits, and all before it.
void markReleased(const Graph& graph, PartitionProblem& problem);

// Of each stage of how many microbatches at a time it surely holds all that is saved, whichever its nodes and
// whatever runs again.
std::vector<std::size_t> wholeInFlight(const PartitionOptions& options);

// What each node is the first in its stage to keep: over a stage's nodes the sum is what the stage keeps
// (keptByStage()).
Table<NodeId, Bytes> savedInStages(const Profile& profile, const Partition& partition);

} // namespace stagecraft
