// Fused optimizers and their like: they write to the tensors they are given and return nothing.
#include "core/trace/kernels/registration.h"

#include <ATen/core/stack.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

void takeArguments(const c10::OperatorHandle& op, torch::jit::Stack* stack)
{
    torch::jit::drop(*stack, op.schema().arguments().size());
}

} // namespace

void registerOptimizers(torch::Library& library)
{
    for (const char* name :
         {"_fused_adam_", "_fused_adam_.tensor_lr", "_fused_adamw_", "_fused_adamw_.tensor_lr", "_fused_sgd_",
          "_fused_sgd_.tensor_lr", "_fused_adagrad_", "_fused_adagrad_.tensor_lr",
          "_amp_foreach_non_finite_check_and_unscale_", "_assert_async", "_assert_async.msg"})
        if (lacksMetaKernel(name))
            library.impl(name, torch::CppFunction::makeFromBoxedFunction<&takeArguments>());
}

} // namespace stagecraft::kernels
