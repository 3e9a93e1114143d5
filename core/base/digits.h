// Is a text nothing but digits? So are the names of what a list holds ("layers.7") and sizes without symbols.
#pragma once

#include <string_view>

namespace stagecraft {

inline bool isDigits(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace stagecraft
