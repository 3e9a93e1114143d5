#include "app/window/theme_choice.h"

namespace stagecraft {

ThemeMode themeModeOf(const QString& name)
{
    if (name == "light")
        return ThemeMode::Light;
    return name == "dark" ? ThemeMode::Dark : ThemeMode::System;
}

} // namespace stagecraft
