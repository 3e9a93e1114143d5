// What stands below the name of an item of the drawing, in the language of the window.
#pragma once

#include "core/layout/layout.h"

#include <QString>

namespace stagecraft {

// "bf16[1, 4096]" of an operator's result, "LlamaMLP, 5 ops" of a closed box.
QString detailText(const Layout& layout, const LayoutItem& item);

} // namespace stagecraft
