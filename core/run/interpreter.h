// Interpreter: runs the operators of a graph, in order, through LibTorch's dispatcher.
//
//     STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, {.device = RunDevice::Cpu}));
//     STAGECRAFT_ASSIGN(values, modelValues(model, {.seed = 7}));     // core/run/model_values.h
//     STAGECRAFT_TRY(interpreter.run(values, progress));
//     at::Tensor y = values.tensor(outputId);                        // y.sum().backward() works
//
// prepare() resolves every operator and builds every constant argument once; a run then only moves values.
// A part of a graph (a stage) runs the same way: give its nodes, and the values that must survive.
//
// Values that nodes make are dropped after their last use, as a Python run of an exported program drops them;
// values that were given stay. Each node runs in its own Context (gradient mode, autocast). Sizes come from
// the tensors: symbolic sizes need nothing but inputs of the wanted shape.
#pragma once

#include "core/base/progress.h"
#include "core/run/value_table.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

enum class RunDevice : std::uint8_t {
    Cpu,
    Meta, // shapes without data
};

// What to do at an operator that is not registered in this process.
enum class UnknownOperator : std::uint8_t {
    Refuse,   // prepare() fails, naming it
    Postpone, // prepare() succeeds; running the node fails, unless RunHooks::recover helps
};

struct InterpreterOptions
{
    RunDevice device = RunDevice::Cpu;
    UnknownOperator unknownOperator = UnknownOperator::Refuse;
    // The nodes to run, in an order that their edges allow; none: all, in the graph's order.
    std::optional<std::vector<NodeId>> nodes;
    // Values to keep to the end of the run, beside the graph's own outputs.
    std::vector<ValueId> keep;
};

// Called around each node of the outermost graph. Each may be empty.
struct RunHooks
{
    std::function<void(NodeId)> beforeNode;
    // The results are in the table, dead inputs are still there.
    std::function<void(NodeId, const ValueTable&)> afterNode;
    // Dead inputs are gone.
    std::function<void(NodeId)> afterRelease;
    // Asked when a node failed, with the reason: puts the node's results into the table, or fails, saying
    // what would have helped.
    std::function<Result<void>(NodeId, const std::string& reason, ValueTable&)> recover;
};

class Interpreter
{
public:
    // `graph` must outlive the interpreter. Fails, naming node, operator and module, where an operator is not
    // registered or an argument cannot be what its schema asks for.
    static Result<Interpreter> prepare(const Graph& graph, const InterpreterOptions& options);
    ~Interpreter();
    Interpreter(Interpreter&&) noexcept;
    Interpreter& operator=(Interpreter&&) noexcept;

    // Runs the nodes once. Whatever they read and do not make must be in `values`. Fails, naming node,
    // operator, module and source line, where an operator throws; `values` then holds what was made so far.
    Result<void> run(ValueTable& values, const Progress& progress = {}, const RunHooks& hooks = {}) const;

private:
    struct State;
    explicit Interpreter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

// "node 'addmm_3' (aten::addmm.default) in module 'h.0.attn', model.py:41": how errors name a node.
std::string describeNode(const Graph& graph, NodeId id);

} // namespace stagecraft
