#include "app/window/dropped_files.h"

#include "app/document/document.h"
#include "core/load/weight_files.h"
#include "core/measure/figures_file.h"
#include "core/script/script_archive.h"

#include <QAbstractScrollArea>
#include <QLineEdit>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 5> weightEndings{".safetensors", ".safetensors.index.json", ".bin",
                                                        ".bin.index.json", ".pth"};
constexpr std::array<std::string_view, 4> figureEndings{".json", ".csv", ".json.gz", ".csv.gz"};

bool allEndAs(const std::vector<std::filesystem::path>& files, std::span<const std::string_view> endings)
{
    return !files.empty() && std::ranges::all_of(files, [&](const std::filesystem::path& file) {
        const std::string name = file.filename().string();
        return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
    });
}

DroppedKind kindOf(FiguresFile figures)
{
    switch (figures) {
    case FiguresFile::MeasuredStep:
        return DroppedKind::MeasuredStep;
    case FiguresFile::Times:
        return DroppedKind::Times;
    case FiguresFile::Overlay:
        return DroppedKind::Overlay;
    case FiguresFile::Plan:
        break;
    }
    return DroppedKind::Model;
}

// Whatever it is called.
bool isScript(const std::filesystem::path& path)
{
    const Result<std::shared_ptr<const MappedFile>> file = MappedFile::open(path);
    if (!file.has_value() || !looksLikeZip((*file)->bytes()))
        return false;
    const Result<ZipArchive> archive = ZipArchive::open({(*file)->bytes(), *file});
    return archive.has_value() && isTorchScript(*archive);
}

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

std::string importSource(const std::vector<std::filesystem::path>& files)
{
    if (files.size() != 1)
        return {};
    const std::filesystem::path& file = files.front();
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return std::filesystem::is_regular_file(file / "config.json", ignored) ? "hf:" + file.string() : "";
    return file.extension() == ".py" ? file.string() + ":" : "";
}

bool areWeights(const std::vector<std::filesystem::path>& files)
{
    return allEndAs(files, weightEndings);
}

bool mayBeFigures(const std::vector<std::filesystem::path>& files)
{
    return allEndAs(files, figureEndings);
}

Result<DroppedKind> kindOfDropped(const std::vector<std::filesystem::path>& files, const Progress& progress)
{
    if (areWeights(files))
        return files.size() == 1 && isScript(files.front()) ? DroppedKind::Model : DroppedKind::Weights;
    if (!mayBeFigures(files))
        return files.front().extension() == ".pt" && readWeights(files).has_value() ? DroppedKind::Weights
                                                                                    : DroppedKind::Model;
    std::optional<DroppedKind> kind;
    for (const std::filesystem::path& file : files) {
        STAGECRAFT_ASSIGN(figures, figuresFile(file, progress));
        if (kind.value_or(kindOf(figures)) != kindOf(figures))
            return Error{ErrorCode::BadUsage, file.string() + ": is of another kind than the files with it; "
                                                              "drop them one after the other"};
        kind = kindOf(figures);
    }
    if (files.size() > 1 && kind != DroppedKind::MeasuredStep)
        return Error{ErrorCode::BadUsage,
                     files.front().string() + ": only the files of a step that ran go together; drop one"};
    return *kind;
}

DropController::DropController(QObject* parent, Document& document)
    : QObject(parent), m_document(document), m_job(m_queue)
{
    connect(&document, &Document::modelGone, this, [this] { m_job.cancel(); });
}

bool DropController::accepts(const std::vector<std::filesystem::path>& files) const
{
    return files.size() == 1 || (m_document.hasModel() && (areWeights(files) || mayBeFigures(files)));
}

void DropController::take(const std::vector<std::filesystem::path>& files)
{
    if (const std::string source = importSource(files); !source.empty())
        return emit sourceDropped(QString::fromStdString(source));
    const bool isOpened = !m_document.hasModel() && !mayBeFigures(files);
    const bool isKnown = files.front().extension() != ".pt" && !mayBeFigures(files) && !areWeights(files);
    if (isOpened || isKnown)
        return deliver(DroppedKind::Model, files);
    m_job.start(
        tr("Looking into what was dropped"),
        [files](const Progress& progress) { return kindOfDropped(files, progress); },
        [this, files](const Result<DroppedKind>& kind) {
            if (kind.has_value())
                deliver(*kind, files);
            else
                m_document.report(kind.error());
        });
}

void DropController::deliver(DroppedKind kind, const std::vector<std::filesystem::path>& files)
{
    const QString path = QString::fromStdString(files.front().string());
    if (kind != DroppedKind::Model && !m_document.hasModel())
        return m_document.report(Error{
            ErrorCode::BadUsage, files.front().string() + ": has figures of a model; open the model first"});
    switch (kind) {
    case DroppedKind::Model:
        return emit modelDropped(path);
    case DroppedKind::Weights:
        return m_document.attachWeights(files);
    case DroppedKind::MeasuredStep:
        return emit stepDropped(files);
    case DroppedKind::Times:
        return emit timesDropped(path);
    case DroppedKind::Overlay:
        return emit overlayDropped(path);
    }
}

} // namespace stagecraft
