// Text that is not ours (names in a model, paths, what the engine says of them) where a widget shows it. A
// name may look like markup, a mnemonic or a placeholder, or hold characters that act: it is shown as it is
// spelt, and does nothing.
//
// No view makes a QString of the engine's text in any other way (tests/lint checks it).
#pragma once

#include "core/base/printable.h"

#include <QString>

#include <string_view>

namespace stagecraft {

// For whatever draws plain text: items, painters, labels of plain text, messages.
QString shownText(std::string_view text, LineBreaks lineBreaks = LineBreaks::Escape);
QString shownText(const QString& text, LineBreaks lineBreaks = LineBreaks::Escape);
// A path or an id that is handed on, and not shown.
QString dataText(std::string_view text);

// The rest are for text that is fit to be shown already.

// For what takes text for markup where it looks like it: tooltips.
QString toolTipText(const QString& text);
// For what takes an ampersand for a mnemonic: menus, buttons, tabs.
QString menuText(const QString& text);
// For the title of a window, where "[*]" marks what was changed.
QString titleText(const QString& text);

} // namespace stagecraft
