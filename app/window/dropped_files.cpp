#include "app/window/dropped_files.h"

#include <QAbstractScrollArea>
#include <QLineEdit>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 5> weightEndings{".safetensors", ".safetensors.index.json", ".bin",
                                                        ".bin.index.json", ".pth"};

} // namespace

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

void takeDropsOfChildren(QWidget* window)
{
    for (auto* area : window->findChildren<QAbstractScrollArea*>()) {
        area->setAcceptDrops(false);
        area->viewport()->setAcceptDrops(false);
    }
    for (auto* field : window->findChildren<QLineEdit*>()) // a path is no text for them
        field->setAcceptDrops(false);
}

bool areWeights(const std::vector<std::filesystem::path>& files)
{
    return !files.empty() && std::ranges::all_of(files, [](const std::filesystem::path& file) {
        const std::string name = file.filename().string();
        return std::ranges::any_of(weightEndings,
                                   [&](std::string_view ending) { return name.ends_with(ending); });
    });
}

bool areOfMeasuredStep(const std::vector<std::filesystem::path>& files)
{
    return !files.empty() && std::ranges::all_of(files, [](const std::filesystem::path& file) {
        return file.extension() == ".json" || file.extension() == ".gz";
    });
}

} // namespace stagecraft
