// What of a model may be written for PyTorch to run.
//
// Loading a file runs nothing here, but PyTorch calls what a stage names, and evaluates the texts of sizes as
// Python when it loads a `.pt2`. So only what can be known to be an operator, a function on numbers or
// arithmetic is written, in Python and in `.pt2` alike.
#pragma once

#include "core/load/operator_schema.h"
#include "core/stage/python_text.h"

#include "core/load/model.h"

#include <string_view>

namespace stagecraft {

// What a target is called in Python:
//
//     aten::linear.default     torch.ops.aten.linear.default: an operator with its overload, of PyTorch or of
//                              a library; names that are keywords go through getattr()
//     higher_order::cond       torch.ops.higher_order.cond
//     math::trunc              math.trunc: functions on numbers, those that findNumberFunction() knows
//
// Fails, saying what it is, for anything else, and for operators that read or write files.
Result<PythonText> pythonTarget(std::string_view target, OperatorSchemas& schemas);

// Fails, naming the node or value, where a target anywhere in the model has no name by pythonTarget(), a
// size is not arithmetic (isPlainSrepr), or a region is to keep what PyTorch cannot: results under autocast,
// or of a node with an inner graph.
Result<void> checkWritable(const Model& model);

// Fails, naming the node, where a region keeps some of its results: a recompute plan, of which TorchScript
// would do nothing. (Regions that a model brings along are left out, and the export says so.)
Result<void> checkScriptable(const Model& model);

// Fails, naming it, where a name of the model may not stand in a `.pt2`: PyTorch makes Python code of the
// names of values, graphs, arguments and weights when it loads one, and does not look at what is in them. (In
// Python code of ours names are made fit instead.)
Result<void> checkLoadable(const Model& model);

} // namespace stagecraft
