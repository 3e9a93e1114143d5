// Text in what browsers and viewers read: HTML, SVG.
#pragma once

#include <string>
#include <string_view>

namespace stagecraft {

// Means the text itself, between tags and in quoted attributes. Control characters stay as they are.
std::string markupText(std::string_view text);

} // namespace stagecraft
