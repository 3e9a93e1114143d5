// How values are called in written code.
#pragma once

#include "core/graph/graph.h"
#include "core/stage/python_text.h"
#include "core/stage/repeated_blocks.h"

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stagecraft {

// How the values of a graph are called inside a function.
struct PythonScope
{
    const Graph* graph;
    Table<ValueId, PythonText> expressions; // a variable's name, or "self.h[0].weight"
    std::set<ValueId> readAsCopies; // stored tensors that code reads by unwritten() (python_helpers.h)
    std::function<ValueId(ValueId)> resolve; // the value whose expression is to be used
    std::string exportedDevice = "cpu";      // type of the device that the model was exported on
};

// What the code of a block calls its own values otherwise, and what it is.
struct BlockScope
{
    const RepeatedBlock* block;
    std::unordered_map<ValueId, PythonText> expressions;
    PythonText module; // the expression of the module that it is called for
};

// A stage's nodes, and the methods that some of them stand in.
struct PythonNodes
{
    std::span<const NodeId> nodes;
    const std::vector<RepeatedBlock>* blocks = nullptr;
    const std::vector<PythonText>* methods = nullptr; // their names, by block
};

// "LlamaRMSNorm" of the class "transformers.models.llama.LlamaRMSNorm", and "llama_rms_norm".
std::string_view lastPartOfClass(const Module& module);
std::string snakeCaseOfClass(const Module& module);

// The expression of a stored tensor, as code reads it.
PythonText readText(const PythonScope& scope, ValueId tensor, const PythonText& attribute);

// A graph's values as Python variables, each resolving to itself.
PythonScope pythonScope(const Graph& graph);

// Names of the graph's values as Python variables, by value: the graph's own where Python takes them.
Table<ValueId, std::string> pythonNames(const Graph& graph);

} // namespace stagecraft
