#include "core/layout/layout.h"
#include "core/layout/run_titles.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

bool isMinorOperator(const Node& node)
{
    static constexpr std::array<std::string_view, 51> minor = {"_assert_scalar",
                                                               "_assert_tensor_metadata",
                                                               "_shape_as_tensor",
                                                               "_to_copy",
                                                               "_unsafe_view",
                                                               "alias",
                                                               "arange",
                                                               "broadcast_tensors",
                                                               "chunk",
                                                               "clone",
                                                               "contiguous",
                                                               "copy_",
                                                               "detach",
                                                               "detach_",
                                                               "dropout",
                                                               "empty",
                                                               "expand",
                                                               "expand_as",
                                                               "flatten",
                                                               "full",
                                                               "getitem",
                                                               "item",
                                                               "lift_fresh_copy",
                                                               "movedim",
                                                               "narrow",
                                                               "ones",
                                                               "ones_like",
                                                               "permute",
                                                               "reshape",
                                                               "scalar_tensor",
                                                               "select",
                                                               "size",
                                                               "slice",
                                                               "split",
                                                               "split_with_sizes",
                                                               "squeeze",
                                                               "sym_constrain_range_for_size",
                                                               "sym_numel",
                                                               "sym_size",
                                                               "sym_stride",
                                                               "t",
                                                               "to",
                                                               "transpose",
                                                               "transpose_",
                                                               "type_as",
                                                               "unbind",
                                                               "unflatten",
                                                               "unsqueeze",
                                                               "view",
                                                               "zeros",
                                                               "zeros_like"};
    static_assert(std::ranges::is_sorted(minor));
    const bool isNumber = !node.target.starts_with("aten::") && node.target.starts_with("_operator::");
    return isNumber || std::ranges::binary_search(minor, operatorTitle(node));
}

} // namespace stagecraft
