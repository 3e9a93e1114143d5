// Which operator of a graph a TorchScript operator is, as torch.export names it.
#pragma once

#include <optional>
#include <vector>

namespace c10 {
struct FunctionSchema;
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

// The dispatcher's own; one with a tensor where TorchScript has an overload for numbers (x * 2 is mul.Tensor
// there, unless the numbers in x are known); or what does the same as one that only TorchScript has, with
// `stack` as that one takes it. None: it is one of TorchScript's own.
std::optional<c10::OperatorHandle> operatorOfGraphs(const c10::FunctionSchema& schema,
                                                    std::vector<c10::IValue>& stack);

// Is there a tensor among them whose numbers are not known?
bool dependsOnTensor(const std::vector<c10::IValue>& arguments);
// Are all tensors among them, of which there are some, single numbers that the script reckons with?
bool areKnownNumbers(const std::vector<c10::IValue>& arguments);

// May a number stand in a graph where the operator takes a tensor?
bool takesNumberAsTensor(const c10::FunctionSchema& schema);
bool givesTensors(const c10::FunctionSchema& schema);
// Does it give a number or truth?
bool givesNumber(const c10::FunctionSchema& schema);

} // namespace stagecraft
