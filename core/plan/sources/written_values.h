// What is sent of storage that is written in place, as values of a problem.
//
// A value for each tensor that crosses boundaries between writes, from the node after which it is the one
// that is sent to the last that needs it; behind the last write one for each tensor that is read, for
// autograd keeps that, and of what is sent before a copy. The same tensor is two values, too, where a
// gradient flows through it only from some write on.
#pragma once

#include "core/plan/problem.h"
#include "core/plan/sources/written_storage.h"
#include "core/profile/profile.h"

#include <vector>

namespace stagecraft {

// What reads a value, or a view of it that cannot be sent; is either returned by the model?
struct ValueReaders
{
    std::vector<NodeId> nodes;
    bool returned = false;
};
// Stages make a view that cannot be sent again, of what it is a view of: so that is sent to its readers. Such
// views themselves have none here, those of `kept` excepted. `returned` says by value what the model returns.
Table<ValueId, ValueReaders> readersOfSent(const Graph& graph, const StorageUse& use,
                                           const Table<ValueId, char>& returned,
                                           const Table<ValueId, char>& kept);

// Not those that nobody reads. `readers` are those of sent values, by value.
std::vector<ProblemValue> writtenValues(const Graph& graph, const Profile& profile, const StorageUse& use,
                                        const WrittenStorage& written,
                                        const Table<ValueId, ValueReaders>& readers);

// May the gradients of this storage flow as the figures say? Not where it is detached from a part of itself
// that needs one: which of its tensors do then depends on the order of reads.
bool hasPlainGradients(const Graph& graph, const Profile& profile, const WrittenStorage& written);

} // namespace stagecraft
