// What cutting asks of a model, whatever its stages are. Who cuts one model again and again, as while a
// boundary is dragged, has it once.
#pragma once

#include "core/base/index_lists.h"
#include "core/load/model.h"
#include "core/load/storage_use.h"
#include "core/plan/sources/written_storage.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace stagecraft {

struct CutFacts
{
    StorageUse storage;
    std::map<ValueId, WrittenStorage> separable; // separableStorage()
    std::map<ValueId, ValueId> tiedTo;           // of tied parameters the first of their group, but of that
    Table<NodeId, char> isOptional;              // checks, and what only checks read
    Table<NodeId, char> readsStorage;            // of its first input, by offset (readsStorage())
    // Of the graph what is asked of all of it, in little memory.
    struct Origin
    {
        ValueKind kind = ValueKind::Activation;
        std::optional<NodeId> producer;
    };
    Table<ValueId, Origin> origins;
    IndexLists inputs; // of nodes: values
    // What must not lead from a later stage to an earlier one.
    std::vector<std::pair<NodeId, NodeId>> edges;
    std::vector<ValueId> writtenSets; // representatives of storage that crosses boundaries as one tensor
};

CutFacts cutFacts(const Model& model);

// By CutFacts::tiedTo, or with more of the kind; itself, where it is tied to none.
inline ValueId tiedTo(const std::map<ValueId, ValueId>& ties, ValueId tensor)
{
    const auto found = ties.find(tensor);
    return found != ties.end() ? found->second : tensor;
}

// Numbers made from numbers, or read from a tensor's description or its single element.
bool isArithmetic(const Graph& graph, const Node& node);

} // namespace stagecraft
