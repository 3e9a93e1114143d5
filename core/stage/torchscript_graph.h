// TorchScriptGraph: a stage's forward() in TorchScript's own form, operator by operator.
//
//     graph(%self, %ids):  %w = GetAttr[wte.weight](%self);  %e = aten::embedding(%w, %ids);  return (%e)
//
// It takes what the manifest lists as the stage's inputs, in that order and by those names, and returns what
// the stage returns. What TorchScript has no words for is refused by name; a region that only sets a mode is
// written without it where the numbers and gradients stay what they are: a checkpoint's nodes as they are,
// nodes without gradients on detached operands.
#pragma once

#include "core/load/model.h"
#include "core/stage/exported_json.h"
#include "core/stage/model_interface.h"
#include "core/stage/stage_program.h"

#include <functional>

namespace torch::jit {
struct Graph;
struct Value;
} // namespace torch::jit
namespace c10 {
struct Argument;
struct IValue;
} // namespace c10

namespace stagecraft {

class TorchScriptGraph
{
public:
    using ScriptValue = torch::jit::Value;
    // The script's value for a parameter, buffer or constant.
    using Stored = std::function<ScriptValue*(ValueId)>;

    // Writes to `script`, which has the input `self` and nothing else. All must outlive this.
    TorchScriptGraph(const Model& model, const StageProgram& program, torch::jit::Graph& script,
                     Stored stored);

    // Once. Fails, naming the node, where TorchScript cannot say what it does.
    Result<void> fill();

private:
    void addInputs();
    void addReceived(ValueId value);
    ScriptValue* laidOut(const ReceivedLayout& layout, ScriptValue* received);
    void addSizes();
    void addUpdates();
    void addOutputs();
    ScriptValue* returned(const Pytree& tree, std::size_t& leaf);

    Result<void> addNode(NodeId id);
    void addCall(const Node& node);
    void addOperator(const Node& node);
    bool addSize(const Node& node);
    bool addNumber(const Node& node);
    void bind(const Node& node, const std::vector<ScriptValue*>& results);

    ScriptValue* value(ValueId id);
    ScriptValue* operand(ValueId id);
    ScriptValue* constant(const c10::IValue& value);
    ScriptValue* number(const Argument& given);
    ScriptValue* numbers(const std::vector<std::int64_t>& list);
    ScriptValue* argument(const c10::Argument& asked, const Argument& given);
    ScriptValue* usual(const c10::Argument& asked);
    ScriptValue* leafValue(const Argument& leaf);
    bool isWithoutGradient(const Node& node) const;
    bool mayHaveGradient(ValueId id) const;

    const Graph& m_graph;
    const ModelInterface m_interface;
    const StageProgram& m_program;
    torch::jit::Graph& m_script;
    Stored m_stored;
    ExportedJson m_kinds; // of numbers
    Table<ValueId, ScriptValue*> m_values;
    bool m_isDetaching = false; // the node at hand runs without gradients
};

} // namespace stagecraft
