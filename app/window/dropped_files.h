// Files that are dropped on the window: what each is, and who takes it.
#pragma once

#include "app/jobs/job.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <string>
#include <vector>

class QMimeData;
class QWidget;

namespace stagecraft {

class Document;

// Empty if one of what is dropped is no local file.
std::vector<std::filesystem::path> droppedFiles(const QMimeData* data);
// What is dropped on anything inside the window is the window's, but for what has a use for files itself.
void takeDropsOfChildren(QWidget* window);

enum class DroppedKind {
    Model, // or a plan
    Weights,
    MeasuredStep,
    Times,
    Overlay
};

// What makes a model in Python, as an import names it: "FILE.py:", whose factory a person has to add, and
// "hf:FOLDER" of one with a config.json. Empty: it is neither.
std::string importSource(const std::vector<std::filesystem::path>& files);
// Weights for the model that is open, by their names. A *.pt may be a model, a *.pth or *.bin TorchScript.
bool areWeights(const std::vector<std::filesystem::path>& files);
// May they hold figures of a model, by their names: JSON, tables, packed or not?
bool mayBeFigures(const std::vector<std::filesystem::path>& files);
// By what is in them, which are not empty. A *.pt that holds a state dict is weights, a *.pth or *.bin that
// holds TorchScript a model. Fails, naming the file,
// where figures are of no kind that is known, and where they are several that do not go together.
Result<DroppedKind> kindOfDropped(const std::vector<std::filesystem::path>& files, const Progress& progress);

// Looks into dropped files in the background, and tells what they are.
class DropController : public QObject
{
    Q_OBJECT

public:
    DropController(QObject* parent, Document& document);

    bool accepts(const std::vector<std::filesystem::path>& files) const;
    // Those that it accepts. Weights go to the document, which is told what is wrong with files.
    void take(const std::vector<std::filesystem::path>& files);

signals:
    void modelDropped(const QString& path);    // or a plan
    void sourceDropped(const QString& source); // as importSource() has it
    void stepDropped(const std::vector<std::filesystem::path>& files);
    void timesDropped(const QString& path);
    void overlayDropped(const QString& path);

private:
    void deliver(DroppedKind kind, const std::vector<std::filesystem::path>& files);

    Document& m_document;
    JobQueue m_queue;
    Job<DroppedKind> m_job;
};

} // namespace stagecraft
