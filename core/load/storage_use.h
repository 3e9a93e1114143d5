// What cutting must know of storage: which values are one tensor, which are views, who writes.
//
//     x ──relu_──► y     y is a version of x: one tensor
//     x ──view───► v     v is a view of x: one storage
#pragma once

#include "core/graph/alias_sets.h"
#include "core/graph/graph.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace stagecraft {

struct StorageUse
{
    AliasSets sets;
    Table<ValueId, ValueId> tensorOf;                 // the first version of the same tensor
    std::map<ValueId, std::vector<ValueId>> versions; // of tensors with several, by the first; ascending
    // Of views: a value that they are, or may be, a view of. None for what is surely a copy of something
    // that is written.
    Table<ValueId, std::optional<ValueId>> viewedTensor;
    std::set<ValueId> perhapsCopies;              // of those, the views that may be copies
    Table<ValueId, std::vector<ValueId>> members; // by representative: first versions in a written set

    bool isWritten(ValueId value) const { return !sets.writers(value).empty(); }
};

StorageUse findStorageUse(const Graph& graph);

} // namespace stagecraft
