// What writing the code of a stage asks of a model, whichever stage it is. Who writes several stages of one
// model, or one again and again, as while a boundary is dragged, has it once.
#pragma once

#include "core/base/unique_names.h"
#include "core/load/model.h"
#include "core/stage/model_interface.h"
#include "core/stage/node_kinds.h"
#include "core/stage/placed_tensor.h"
#include "core/stage/python_scope.h"
#include "core/trace/substitute_kinds.h"

#include <unordered_map>
#include <vector>

namespace stagecraft {

struct CodeFacts
{
    PythonScope scope; // of the model's graph, which outlives it
    std::vector<OperatorUse> unknown;
    NodeKinds kinds;
    ModelInterface interface;
    std::unordered_map<ValueId, PlacedTensor> placed; // of all tensors that come with the model
    UniqueNames stored;                               // what these stand under behind "self."
    Table<NodeId, char> hasControlFlow;               // or a graph within it has
};

CodeFacts codeFacts(const Model& model);

} // namespace stagecraft
