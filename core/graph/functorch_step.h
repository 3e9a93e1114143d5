// Steps of torch.func's vmap, jvp and their like: exported programs hold them as Python's own functions,
// without which the operators between them mean something else.
#pragma once

#include "core/base/contains.h"

#include <array>
#include <string_view>

namespace stagecraft {

constexpr bool isFunctorchStep(std::string_view target)
{
    return target.starts_with("torch._functorch.");
}

// The steps that vmap alone takes, which are run and written as PyTorch has them. A region opens and closes.
inline constexpr std::string_view vmapOpens = "torch._functorch.predispatch::_vmap_increment_nesting";
inline constexpr std::string_view vmapCloses = "torch._functorch.predispatch::_vmap_decrement_nesting";
inline constexpr std::string_view vmapAddsDimension = "torch._functorch.predispatch::_add_batch_dim";
inline constexpr std::string_view vmapRemovesDimension = "torch._functorch.predispatch::_remove_batch_dim";
inline constexpr std::string_view vmapLoadsRules = "torch._functorch.predispatch::lazy_load_decompositions";

inline bool isVmapStep(std::string_view target)
{
    return contains(
        std::array{vmapOpens, vmapCloses, vmapAddsDimension, vmapRemovesDimension, vmapLoadsRules}, target);
}

// Operators that Python's library decomposes inside vmap (vmapLoadsRules), also those that call such a one.
// Losses' backwards have rules, too, but only torch.func.grad brings them into a region.
inline bool hasPythonRule(std::string_view target)
{
    using namespace std::string_view_literals;
    const std::string_view name = target.substr(0, target.find('.')); // without overload
    return contains(std::array{"aten::addr"sv, "aten::nll_loss"sv, "aten::nll_loss2d"sv,
                               "aten::nll_loss_nd"sv, "aten::nll_loss_forward"sv,
                               "aten::nll_loss2d_forward"sv, "aten::cross_entropy_loss"sv},
                    name);
}

// What a person does about the others.
inline constexpr std::string_view functorchAdvice =
    "it is a step of jvp: export the model again and save program.run_decompositions(), which has plain "
    "operators in its place";

} // namespace stagecraft
