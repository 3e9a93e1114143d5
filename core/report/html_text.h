// Texts made fit for a page: what a model calls its parts never becomes markup or script.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace stagecraft {

// printable(), and harmless between tags and inside of a quoted attribute.
std::string htmlText(std::string_view text);

// For the inside of a <script type="application/json">: JSON in ASCII without '<', '>' and '&', so that no
// text can end the element or begin another. Texts stay what they are for who parses it.
std::string scriptJson(const nlohmann::ordered_json& json);

// "'sha256-...'" of a script or style, as a content security policy names it.
std::string policyHash(std::string_view text);

// `text`, quoted for a POSIX shell where it needs to be.
std::string shellWord(std::string_view text);

} // namespace stagecraft
