// What writing the code of a stage asks of a model, whichever stage it is. Who writes stages of one model
// again and again, as while a boundary is dragged, has it once.
#pragma once

#include "core/load/model.h"
#include "core/stage/python_scope.h"
#include "core/trace/substitute_kinds.h"

#include <vector>

namespace stagecraft {

struct CodeFacts
{
    PythonScope scope; // of the model's graph, which outlives it
    std::vector<OperatorUse> unknown;
    NodeHashes hashes;
};

CodeFacts codeFacts(const Model& model);

} // namespace stagecraft
