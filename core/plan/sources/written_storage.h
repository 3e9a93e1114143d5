// What crosses a boundary that lies between two writes to one storage.
//
//     out = zeros ─► a = out[0] ─► a.copy_(x) ─► b = out[1] ─► b.copy_(y) ─► return out
//                                             │
//                                       out is sent, and copied; b and what writes to it see the copy
//
// A stage that writes to what it received writes to a copy of it. Of a storage that is still to be written
// one tensor is sent, the one that all that is read later is a view of: two that were sent each by itself
// would be two storages behind the boundary, and a write to one would not be seen in the other. The stage
// makes the views again. Whoever reads another name after the write is in the stage of the writer or behind
// it, as the order of storage asks (alias_sets.h), and so sees what was written; autograd carries the
// gradient through the copy. Behind the last write each tensor is sent by itself.
#pragma once

#include "core/graph/graph.h"
#include "core/load/storage_use.h"

#include <map>
#include <vector>

namespace stagecraft {

// From a write to the next.
struct WriteSpan
{
    NodeId begin; // a writer; of the first span, who makes the storage
    NodeId end;   // the next writer
    ValueId sent; // the first version of the tensor that crosses boundaries in between

    friend bool operator==(const WriteSpan&, const WriteSpan&) = default;
};

struct WrittenStorage
{
    std::vector<WriteSpan> spans; // one for each writer
    std::vector<ValueId> members; // values in the storage that are made up to the last write

    NodeId lastWriter() const { return spans.back().end; }
};

// By the representative of its values (AliasSets), the storage between whose writes a boundary may lie. Not
// the others, whose makers and writers must stay together:
//
// - what comes into the model: parameters, buffers and inputs have another owner, who sees the writes;
// - what a node with an inner graph makes, views or writes;
// - where a view may be a copy, depends on a second tensor, or reads the storage by offset;
// - where autograd does not know that a view is one, and so not what is written to it (unsafe_chunk);
// - where a write changes shape or type;
// - what has strides that a received tensor cannot be given.
std::map<ValueId, WrittenStorage> separableStorage(const Graph& graph, const StorageUse& use);

} // namespace stagecraft
