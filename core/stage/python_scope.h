// How values are called in written code.
#pragma once

#include "core/base/unique_names.h"
#include "core/graph/graph.h"
#include "core/load/operator_schema.h"
#include "core/stage/python_text.h"
#include "core/stage/repeated_blocks.h"

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stagecraft {

// What the values of a graph are called: its names as variables, shared by all copies, but for what a stage
// has under its module.
class ValueExpressions
{
public:
    ValueExpressions() = default;
    explicit ValueExpressions(Table<ValueId, PythonText> variables)
        : m_variables(std::make_shared<const Table<ValueId, PythonText>>(std::move(variables)))
    {
    }

    const PythonText& operator[](ValueId value) const
    {
        const auto own = m_own.find(value);
        return own != m_own.end() ? own->second : (*m_variables)[value];
    }
    // "self.h[0].weight"; once for a value.
    void set(ValueId value, PythonText expression) { m_own.emplace(value, std::move(expression)); }
    // All of them are taken.
    void takeAll(UniqueNames& taken) const;

private:
    std::shared_ptr<const Table<ValueId, PythonText>> m_variables;
    std::unordered_map<ValueId, PythonText> m_own;
};

// What stands in the lines of a graph wherever they are written.
struct GraphTexts
{
    Table<ValueId, PythonText> shapes;                     // "f32[8, 64]", for comments; of tensors
    std::unordered_map<std::string, PythonText> operators; // by target, of those that may be called

    // Null: no operator of the graph, or it may not be called.
    const PythonText* find(std::string_view target) const
    {
        const auto known = operators.find(std::string(target));
        return known != operators.end() ? &known->second : nullptr;
    }
};

// How the values of a graph are called inside a function.
struct PythonScope
{
    const Graph* graph;
    ValueExpressions expressions;
    std::shared_ptr<const GraphTexts> texts;
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
PythonScope pythonScope(const Graph& graph, OperatorSchemas& schemas);

// Names of the graph's values as Python variables, by value: the graph's own where Python takes them.
Table<ValueId, std::string> pythonNames(const Graph& graph);

} // namespace stagecraft
