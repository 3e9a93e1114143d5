// What nodes keep from forward to backward, by the storage: one that several keep is held by every stage that
// has one of them.
#pragma once

#include "core/plan/partition.h"
#include "core/plan/problem.h"
#include "core/profile/profile.h"

namespace stagecraft {

// Replaces what the problem says is saved, of nodes and shared, with what the profile says. Of a storage of
// which another stage keeps but a part, all counts there.
void takeSaved(const Profile& profile, PartitionProblem& problem);

// What each node is the first in its stage to keep: over a stage's nodes the sum is what the stage keeps
// (keptByStage()).
Table<NodeId, Bytes> savedInStages(const Profile& profile, const Partition& partition);

} // namespace stagecraft
