// Text in what browsers, viewers and other programs read: HTML, SVG, GraphML.
#pragma once

#include <string>
#include <string_view>

namespace stagecraft {

// Means the text itself, between tags and in quoted attributes. Control characters stay as they are.
std::string markupText(std::string_view text);
// The same in XML, which cannot hold control characters, shown as by printable(), nor U+FFFE and U+FFFF,
// which become U+FFFD.
std::string xmlText(std::string_view text);

} // namespace stagecraft
