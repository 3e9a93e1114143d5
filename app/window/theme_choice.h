// The theme's name in settings and on the command line.
#pragma once

#include "views/base/theme.h"

namespace stagecraft {

// "light", "dark"; anything else is as the desktop is.
ThemeMode themeModeOf(const QString& name);

} // namespace stagecraft
