#include "app/window/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace stagecraft {

namespace {

constexpr QLatin1String key("recentFiles");

QString canonical(const QString& path)
{
    const QFileInfo file(path);
    return file.exists() ? file.canonicalFilePath() : file.absoluteFilePath();
}

} // namespace

QStringList recentFiles(const QSettings& settings)
{
    return settings.value(key).toStringList();
}

void addRecentFile(QSettings& settings, const QString& path)
{
    QStringList files = recentFiles(settings);
    const QString file = canonical(path);
    files.removeAll(file);
    files.prepend(file);
    settings.setValue(key, files.mid(0, maxRecentFiles));
}

} // namespace stagecraft
