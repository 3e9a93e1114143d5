// How an operator is named in files and Python, and in this program.
//
//     torch.ops.aten.linear.default    aten::linear.default
//     torch.ops.higher_order.cond      higher_order::cond
//     _operator.add                    _operator::add
//     torch.sym_max                    torch::sym_max
//     torch._functorch.apis.vmap       torch._functorch.apis::vmap
#pragma once

#include <string>
#include <string_view>

namespace stagecraft {

// A text of another form is kept as it is.
std::string targetFromPython(std::string_view python);
std::string targetToPython(std::string_view target);

// What a target names: "aten::add" and "Tensor" of "aten::add.Tensor".
struct OperatorName
{
    std::string_view name;
    std::string_view overload; // empty for "default", which is how the dispatcher has it
};
// Views into `target`.
OperatorName operatorNameOf(std::string_view target);

// Does the operator read or write a file that its caller names? No model has a use for it.
bool touchesFiles(std::string_view target);

} // namespace stagecraft
