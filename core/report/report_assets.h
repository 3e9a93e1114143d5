// The page, the style and the script of reports: resources/report, built in.
#pragma once

#include <string_view>

namespace stagecraft {

// With "{{name}}" where something is put in.
std::string_view reportTemplate();
std::string_view reportStyle();
std::string_view reportScript();

} // namespace stagecraft
