// What people call an operator.
#pragma once

#include <string_view>

namespace stagecraft {

// "linear" of "aten::linear.default"; points into `target`.
inline std::string_view shortOperator(std::string_view target)
{
    if (const std::size_t colons = target.rfind("::"); colons != std::string_view::npos)
        target.remove_prefix(colons + 2);
    const std::size_t dot = target.find('.');
    return dot != std::string_view::npos && dot > 0 ? target.substr(0, dot) : target;
}

} // namespace stagecraft
