#include "core/trace/op_info.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <algorithm>

namespace stagecraft {

namespace {

using c10::DispatchKey;

// The dispatcher prefers the recipe to a derivative that is registered for other devices (linear, matmul),
// unless the operator has a kernel for meta.
bool isCompositeImplicit(const c10::OperatorHandle& op)
{
    return op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) &&
           !op.hasKernelForDispatchKey(DispatchKey::Meta) &&
           !op.hasKernelForDispatchKey(DispatchKey::AutogradMeta);
}

bool hasDerivative(const c10::OperatorHandle& op)
{
    return op.hasKernelForDispatchKey(DispatchKey::Autograd) ||
           op.hasKernelForDispatchKey(DispatchKey::AutogradMeta);
}

// Operators whose kernels know a mark have a kernel for its key that does nothing; all others fall back.
bool fallsBack(const c10::OperatorHandle& op, DispatchKey mark)
{
    return !op.hasKernelForDispatchKey(mark) || !op.isKernelFallthroughKernel(mark);
}

bool isWritten(const c10::Argument& argument)
{
    return argument.alias_info() && argument.alias_info()->isWrite();
}

} // namespace

TraceOpName opName(const c10::OperatorHandle& op)
{
    const c10::FunctionSchema& schema = op.schema();
    TraceOpName name{.name = schema.name(), .overload = schema.overload_name()};
    for (std::size_t i = 0; i < std::min<std::size_t>(schema.arguments().size(), 64); ++i)
        if (isWritten(schema.arguments()[i]))
            name.written |= std::uint64_t{1} << i;
    name.writes = std::ranges::any_of(schema.arguments(), isWritten);
    name.isView = !name.writes && !schema.returns().empty() &&
                  std::ranges::all_of(schema.returns(), [](const c10::Argument& result) {
                      return result.alias_info() != nullptr;
                  });
    return name;
}

OpInfo opInfo(const c10::OperatorHandle& op, OpNameId name)
{
    OpInfo info{.name = name,
                .isComposite = isCompositeImplicit(op),
                .hasDerivative = hasDerivative(op),
                .writesConjugates = fallsBack(op, DispatchKey::Conjugate),
                .writesNegatives = fallsBack(op, DispatchKey::Negative),
                .isInPlace = !op.schema().arguments().empty() && isWritten(op.schema().arguments()[0]),
                .deviceArguments = {},
                .check = CallCheck(op.schema())};
    for (std::size_t i = 0; i < op.schema().arguments().size(); ++i)
        if (op.schema().arguments()[i].name() == "device")
            info.deviceArguments.push_back(i);
    return info;
}

bool writesOutOperand(const OpInfo& info, const c10::OperatorHandle& op,
                      const std::vector<c10::IValue>& stack)
{
    // By clone before the kernel, and back by copy_ after one in place.
    if (op.schema().name() != "aten::clone" && op.schema().name() != "aten::copy_")
        return false;
    const at::Tensor& operand = stack[stack.size() - op.schema().arguments().size()].toTensor();
    return (info.writesConjugates && operand.is_conj()) || (info.writesNegatives && operand.is_neg());
}

} // namespace stagecraft
