// Small texts for people.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace stagecraft {

// "1 node", "2 nodes".
inline std::string counted(std::size_t count, std::string_view what)
{
    return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

// As printf() writes it; what is longer than 511 bytes is cut off.
template <class... Values>
std::string formatted(const char* pattern, Values... values)
{
    std::array<char, 512> text{};
    std::snprintf(text.data(), text.size(), pattern, values...);
    return text.data();
}

} // namespace stagecraft
