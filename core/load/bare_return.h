// Higher-order operators that give one tensor, and not a tuple with it: only the file says which do.
#pragma once

#include "core/graph/graph.h"

#include <algorithm>
#include <string_view>

namespace stagecraft {

// Among Node::metadata, as the file has it beside the node.
inline constexpr const char* bareReturnNote = "is_hop_single_tensor_return";

inline bool returnsBareTensor(const Node& node)
{
    return std::ranges::any_of(node.metadata, [](const auto& note) {
        return note.first == std::string_view(bareReturnNote) && note.second == "true";
    });
}

} // namespace stagecraft
