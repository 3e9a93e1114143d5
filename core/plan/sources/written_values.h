// What is sent of storage that is written in place, as values of a problem.
//
// A value for each tensor that crosses boundaries between writes, from the node after which it is the one
// that is sent to the last that needs it; behind the last write one for each tensor that is read. The same
// tensor is two values where a gradient flows through it only from some write on.
#pragma once

#include "core/plan/problem.h"
#include "core/plan/sources/written_storage.h"
#include "core/profile/profile.h"

#include <vector>

namespace stagecraft {

// Not those that nobody reads. `returned` says by value what the model returns.
std::vector<ProblemValue> writtenValues(const Graph& graph, const Profile& profile, const StorageUse& use,
                                        const WrittenStorage& written, const Table<ValueId, char>& returned);

// May the gradients of this storage flow as the figures say? Not where it is detached from a part of itself
// that needs one: which of its tensors do then depends on the order of reads.
bool hasPlainGradients(const Graph& graph, const Profile& profile, const WrittenStorage& written);

} // namespace stagecraft
