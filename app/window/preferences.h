// Preferences: kept in the settings, asked for in a dialog, and what they do.
#pragma once

#include "app/window/actions.h"
#include "core/plan/request.h"
#include "views/pages/preferences_dialog.h"

class QSettings;

namespace stagecraft {

class Document;

// What the settings say, and what is usual where they say nothing; `searchTime` is usual, too. A value that
// makes no sense is as none.
Preferences readPreferences(const QSettings& settings, Seconds searchTime);
void writePreferences(QSettings& settings, const Preferences& preferences);
// The interpreter that imports models and checks exports; empty: not chosen yet.
std::string preferredPython(const QSettings& settings);
void preferPython(QSettings& settings, const std::string& python);
// What plans are made for in a new window: of these devices the preferred, or the first.
PlanRequest preferredRequest(const Preferences& preferences, const std::vector<DeviceSpec>& devices);

// Asks for them in a dialog of `window`, and sees to what has effect at once. All outlive the dialog.
void editPreferences(QWidget* window, Document& document, const Actions& actions, QSettings* settings);

} // namespace stagecraft
