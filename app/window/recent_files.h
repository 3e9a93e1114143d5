// Files that were opened last, newest first, kept in the settings.
#pragma once

#include <QStringList>

class QSettings;

namespace stagecraft {

inline constexpr qsizetype maxRecentFiles = 10;

// Canonical paths, also of files that are gone.
QStringList recentFiles(const QSettings& settings);
void addRecentFile(QSettings& settings, const QString& path);

} // namespace stagecraft
