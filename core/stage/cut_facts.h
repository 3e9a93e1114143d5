// What cutting asks of a model, whatever its stages are. Who cuts one model again and again, as while a
// boundary is dragged, has it once.
#pragma once

#include "core/load/model.h"
#include "core/load/storage_use.h"
#include "core/plan/sources/written_storage.h"

#include <map>
#include <vector>

namespace stagecraft {

struct CutFacts
{
    StorageUse storage;
    std::map<ValueId, WrittenStorage> separable; // separableStorage()
    Table<ValueId, ValueId> tiedTo;              // of parameters the first of their group; others: themselves
    Table<NodeId, char> isOptional;              // checks, and what only checks read
    Table<NodeId, char> readsStorage;            // of its first input, by offset (readsStorage())
};

CutFacts cutFacts(const Model& model);

// Numbers made from numbers, or read from a tensor's description or its single element.
bool isArithmetic(const Graph& graph, const Node& node);

} // namespace stagecraft
