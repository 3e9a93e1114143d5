// Fields of tables as RFC 4180 has them, for spreadsheets.
#pragma once

#include <string>
#include <string_view>

namespace stagecraft {

// In quotes where it must be.
inline std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace stagecraft
