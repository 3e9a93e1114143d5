// What each panel is for, said where a person asks (F1; Shift+F1 says it, too): the "what's this" of widgets.
#pragma once

#include <QString>

class QWidget;

namespace stagecraft {

struct WindowViews;

// Gives each view its text. Other widgets may have one of their own.
void setPanelHelp(const WindowViews& views);

// The text of the widget, or of the nearest one around it that has one; empty: none has.
QString panelHelp(const QWidget* widget);

} // namespace stagecraft
