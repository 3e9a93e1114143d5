// ImportController: "Import from Python" in the menu: the dialog, the person's Python asked and run in the
// background, and the model that came of it handed on.
#pragma once

#include "app/jobs/job.h"
#include "core/import/python_import.h"

#include <QPointer>

class QAction;
class QSettings;
class QWidget;

namespace stagecraft {

class ImportDialog;

class ImportController : public QObject
{
    Q_OBJECT

public:
    // All outlive it; the dialog is one of `window`.
    ImportController(QWidget* window, QSettings* settings);

    QAction* action() const { return m_action; } // for menus
    // Returns at once; the dialog deletes itself.
    void showDialog();
    // The same for one that makes a model, as ImportRequest::source names it. An import that runs goes on.
    void showDialogFor(const QString& source);

signals:
    void imported(const QString& path);

private:
    void askPython(const QString& python);
    void start();
    void finish(const Result<ImportOutcome>& outcome, const std::filesystem::path& output);
    ImportRequest lastRequest() const;
    void keep(const ImportRequest& request);

    QWidget* m_window;
    QSettings* m_settings;
    QAction* m_action;
    QPointer<ImportDialog> m_dialog; // the one that is open
    JobQueue m_queue;
    JobQueue m_pythonQueue; // answers while an import runs
    Job<ImportOutcome> m_job;
    Job<PythonVersion> m_pythonJob;
};

} // namespace stagecraft
