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

// The steps of vmap. A region opens and closes.
inline constexpr std::string_view vmapOpens = "torch._functorch.predispatch::_vmap_increment_nesting";
inline constexpr std::string_view vmapCloses = "torch._functorch.predispatch::_vmap_decrement_nesting";
inline constexpr std::string_view vmapAddsDimension = "torch._functorch.predispatch::_add_batch_dim";
inline constexpr std::string_view vmapRemovesDimension = "torch._functorch.predispatch::_remove_batch_dim";
inline constexpr std::string_view vmapLoadsRules = "torch._functorch.predispatch::lazy_load_decompositions";

// The steps of jvp. A region opens and closes; the outermost one has the level of forward-mode derivatives
// open within.
inline constexpr std::string_view jvpOpens = "torch._functorch.predispatch::_jvp_increment_nesting";
inline constexpr std::string_view jvpCloses = "torch._functorch.predispatch::_jvp_decrement_nesting";
inline constexpr std::string_view dualLevelOpens = "torch._functorch.predispatch::_enter_dual_level";
inline constexpr std::string_view dualLevelCloses = "torch._functorch.predispatch::_exit_dual_level";
inline constexpr std::string_view makesDual = "torch._functorch.predispatch::_make_dual";
inline constexpr std::string_view unpacksDual = "torch._functorch.predispatch::_unpack_dual";
inline constexpr std::string_view leavesLevel = "torch._functorch.predispatch::_unwrap_for_grad";

// The steps that are run and written as PyTorch has them.
inline bool isTransformStep(std::string_view target)
{
    return contains(std::array{vmapOpens, vmapCloses, vmapAddsDimension, vmapRemovesDimension, vmapLoadsRules,
                               jvpOpens, jvpCloses, dualLevelOpens, dualLevelCloses, makesDual, unpacksDual,
                               leavesLevel},
                    target);
}

inline bool opensTransform(std::string_view target)
{
    return target == vmapOpens || target == jvpOpens;
}

inline bool closesTransform(std::string_view target)
{
    return target == vmapCloses || target == jvpCloses;
}

// What an export of jvp has beside its own steps: they run only where a region of jvp is open.
inline bool needsDualLevel(std::string_view target)
{
    return target.starts_with("aten::_make_dual.") || target.starts_with("aten::_unpack_dual.");
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
    "it is a step of a transform of torch.func that is not known here: export the model again and save "
    "program.run_decompositions(), which has plain operators in its place";

} // namespace stagecraft
