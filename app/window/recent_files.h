// Files that were opened last, newest first, kept in the settings.
#pragma once

#include <QStringList>

#include <filesystem>

class QSettings;

namespace stagecraft {

inline constexpr qsizetype maxRecentFiles = 10;

// Canonical paths, also of files that are gone; but not of those gone from `passing`, a folder whose files
// come and go by themselves.
QStringList recentFiles(const QSettings& settings, const std::filesystem::path& passing = {});
void addRecentFile(QSettings& settings, const QString& path);

} // namespace stagecraft
