#include "core/base/markup.h"

#include "core/base/printable.h"

namespace stagecraft {

std::string markupText(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

std::string xmlText(std::string_view text)
{
    std::string shown = printable(text);
    for (const std::string_view none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
        for (std::size_t at = shown.find(none); at != std::string::npos; at = shown.find(none, at))
            shown.replace(at, 3, "\xef\xbf\xbd");
    return markupText(shown);
}

} // namespace stagecraft
