// Lists, tuples, dicts and objects that a script makes.
#pragma once

#include <vector>

namespace c10 {
struct IValue;
}
namespace torch::jit {
struct Node;
}

namespace stagecraft {

// What a prim::ListConstruct, TupleConstruct, DictConstruct, TupleSlice or CreateObject makes of its
// operands. Throws where that cannot be.
c10::IValue madeContainer(const torch::jit::Node& node, std::vector<c10::IValue> operands);

} // namespace stagecraft
