// ExchangeController: what goes to and comes from other programs: the person's own figures and colours, and
// the graph as a file. Its actions are in the menu of files.
#pragma once

#include "app/jobs/job.h"
#include "core/exchange/overlay.h"

#include <QObject>
#include <QString>

#include <memory>

class QAction;
class QMenu;

namespace stagecraft {

class ColorBySelector;
class Document;
class FileCommands;
struct WindowViews;

class ExchangeController : public QObject
{
    Q_OBJECT

public:
    // Puts its actions before that one of the menu. All outlive it.
    ExchangeController(QObject* parent, Document& document, FileCommands& files, QMenu* menu,
                       QAction* before);
    // Where the figures are seen.
    void showIn(const WindowViews& views, ColorBySelector* colors);

    // Reads it in the background; it holds until another model is opened. What is wrong is told by the
    // document, and so is what of it the model lacks.
    void open(const QString& path);
    const std::shared_ptr<const Overlay>& overlay() const { return m_overlay; }
    JobQueue& jobs() { return m_queue; }

signals:
    void overlayChanged();

private:
    void take(std::shared_ptr<const Overlay> overlay);
    void showWhatCanBeDone();

    Document& m_document;
    FileCommands& m_files;
    QAction* m_open;
    QAction* m_close;
    QAction* m_export;
    std::shared_ptr<const Overlay> m_overlay; // null: none
    JobQueue m_queue;
    Job<Overlay> m_job;
};

} // namespace stagecraft
