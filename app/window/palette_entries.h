// What the palette of a window offers: every action that can be used now, stages, modules, settings of the
// plan.
#pragma once

#include "views/pages/command_palette.h"

class QMenuBar;

namespace stagecraft {

class Document;
class Selection;

// All outlive the entries' use.
std::vector<PaletteEntry> paletteEntries(const QMenuBar& menus, Document& document, Selection* selection);

} // namespace stagecraft
