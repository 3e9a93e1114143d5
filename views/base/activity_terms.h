// What the engine says it is doing (core/base/progress.h), in the language of the window.
#pragma once

#include <QString>

#include <string_view>

namespace stagecraft {

// "Searching 5 stages" is known with any number. What is not the engine's, as a child process says it, is
// shown as it is spelt.
QString activityText(std::string_view activity);

} // namespace stagecraft
