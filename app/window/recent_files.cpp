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

QStringList recentFiles(const QSettings& settings, const std::filesystem::path& passing)
{
    QStringList files = settings.value(key).toStringList();
    const QString folder = passing.empty() ? QString() : canonical(QString::fromStdString(passing.string()));
    files.removeIf([&](const QString& path) {
        const QFileInfo file(path);
        return !folder.isEmpty() && file.path() == folder && !file.exists();
    });
    return files;
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
