// NodeAction: what running one node does to a table of values. Made once by prepare..., called once a run.
#pragma once

#include "core/run/interpreter.h"

#include <functional>
#include <vector>

namespace c10 {
struct Argument;
}

namespace stagecraft {

// Reads the node's operands from the table and puts its results there. May throw what LibTorch throws. Where
// it runs graphs of its own it asks between their nodes whether to stop.
using NodeAction = std::function<Result<void>(ValueTable&, const Progress&)>;

// An operator of the dispatcher. Fails where it is not registered (code NotFound) or an argument does not
// fit.
Result<NodeAction> prepareOperatorCall(const Graph& graph, NodeId id, RunDevice device);
// higher_order::out_dtype: an operator on operands converted so far that its result can be of the element
// type that is asked for. It has no derivative in PyTorch: fails where one would be needed.
Result<NodeAction> prepareTypedCall(const Graph& graph, NodeId id, RunDevice device);
// higher_order::auto_functionalized and its second version (core/graph/called_operator.h): an operator that
// writes in place, on copies of what it writes to, which are results beside its own.
Result<NodeAction> prepareFunctionalizedCall(const Graph& graph, NodeId id, RunDevice device);
// A step of vmap or jvp: core/graph/functorch_step.h. Runs need a TransformScope around them.
Result<NodeAction> prepareTransformStep(const Graph& graph, NodeId id);
// One of Python's functions on sizes: core/run/number_functions.h.
Result<NodeAction> prepareNumberCall(const Graph& graph, NodeId id);
// cond, while_loop, map, scan, associative_scan, invoke_subgraph. On meta a condition has no value: cond
// takes its first branch, while_loop runs its body once.
Result<NodeAction> prepareHigherOrderCall(const Graph& graph, NodeId id, const InterpreterOptions& options);

// Gives an operator's argument its value at the start of a call.
using ArgumentSource = std::function<c10::IValue(const ValueTable&)>;

// Makes what `asked` describes from what the file gives, as Python's operators do: a number for a tensor
// becomes a 0-dimensional tensor that does not take part in type promotion, an int becomes a float, a single
// int a list, None an undefined tensor, any device the run's own.
Result<ArgumentSource> prepareArgument(const c10::Argument& asked, const Argument& given, RunDevice device);
// The same for an argument that the file leaves out.
Result<ArgumentSource> prepareDefault(const c10::Argument& asked, RunDevice device);

// Puts a node's results, in the order of its operator's schema, into the table.
Result<void> bindResults(const Node& node, std::vector<c10::IValue> results, ValueTable& values);

} // namespace stagecraft
