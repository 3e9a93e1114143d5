// Numbers in tensors that LibTorch's kernels take for places in memory without a look at them.
//
// Most kernels look (gather, embedding, nll_loss) and throw. Some trust whoever calls them: backward passes,
// which are to be given what a forward pass made, and a few that walk along lengths and offsets. A graph may
// hold those, too, and its numbers come from a file or are reckoned from data: each would be read or written
// wherever it points to.
#pragma once

#include <functional>
#include <span>

namespace c10 {
struct FunctionSchema;
struct IValue;
} // namespace c10

namespace stagecraft {

// What looks at the arguments of a call of this operator, in the schema's order, and throws what operators
// throw, naming the argument. None where the kernel does. Tensors without data are let pass.
std::function<void(std::span<const c10::IValue>)> indexCheck(const c10::FunctionSchema& schema);

} // namespace stagecraft
