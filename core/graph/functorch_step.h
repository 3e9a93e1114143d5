// Steps of torch.func's vmap, jvp and their like: exported programs hold them as Python's own functions,
// without which the operators between them mean something else.
#pragma once

#include <string_view>

namespace stagecraft {

constexpr bool isFunctorchStep(std::string_view target)
{
    return target.starts_with("torch._functorch.");
}

// What a person does about them.
inline constexpr std::string_view functorchAdvice =
    "it is a step of vmap or jvp: export the model again and save program.run_decompositions(), which has "
    "plain operators in their place";

} // namespace stagecraft
