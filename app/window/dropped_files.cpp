#include "app/window/dropped_files.h"

#include <QMimeData>
#include <QUrl>

#include <algorithm>

namespace stagecraft {

std::vector<std::filesystem::path> droppedFiles(const QMimeData* data)
{
    std::vector<std::filesystem::path> files;
    for (const QUrl& url : data->urls()) {
        if (!url.isLocalFile())
            return {};
        files.emplace_back(url.toLocalFile().toStdString());
    }
    return files;
}

bool areOfMeasuredStep(const std::vector<std::filesystem::path>& files)
{
    return !files.empty() && std::ranges::all_of(files, [](const std::filesystem::path& file) {
        return file.extension() == ".json" || file.extension() == ".gz";
    });
}

} // namespace stagecraft
