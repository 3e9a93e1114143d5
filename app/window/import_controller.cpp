#include "app/window/import_controller.h"

#include "app/window/preferences.h"
#include "views/base/plain_text.h"
#include "views/pages/import_dialog.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace stagecraft {

ImportController::ImportController(QWidget* window, QSettings* settings)
    : QObject(window),
      m_window(window),
      m_settings(settings),
      m_action(new QAction(tr("&Import from Python…"), this)),
      m_job(m_queue),
      m_pythonJob(m_pythonQueue)
{
    const QString tip =
        tr("Make a model of one's own code, or of a name of transformers, timm or torchvision");
    m_action->setToolTip(tip);
    m_action->setStatusTip(tip);
    connect(m_action, &QAction::triggered, this, &ImportController::showDialog);
    connect(&m_queue, &JobQueue::progressed, this,
            [this](const QString& activity, std::optional<double> fraction) {
                if (m_dialog && m_job.isRunning())
                    m_dialog->setProgress(activity, fraction);
            });
}

void ImportController::showDialog()
{
    if (m_dialog)
        return m_dialog->raise();
    m_dialog = new ImportDialog(m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setOutputFolder(m_settings->value("import/folder", QDir::homePath()).toString());
    m_dialog->setRequest(lastRequest());
    connect(m_dialog, &ImportDialog::pythonChanged, this, &ImportController::askPython);
    connect(m_dialog, &ImportDialog::importRequested, this, &ImportController::start);
    connect(m_dialog, &ImportDialog::cancelRequested, &m_queue, &JobQueue::cancelAll);
    connect(m_dialog, &QObject::destroyed, this, [this] {
        m_job.cancel();
        m_pythonJob.cancel();
    });
    m_dialog->open();
    askPython(shownText(lastRequest().python));
}

void ImportController::showDialogFor(const QString& source)
{
    showDialog();
    if (m_job.isRunning())
        return;
    ImportRequest request = m_dialog->request();
    request.source = source.toStdString();
    request.output.clear(); // the name follows the source
    m_dialog->setRequest(request);
}

ImportRequest ImportController::lastRequest() const
{
    ImportRequest request;
    request.python = preferredPython(*m_settings);
    request.source = m_settings->value("import/source").toString().toStdString();
    return request;
}

void ImportController::keep(const ImportRequest& request)
{
    preferPython(*m_settings, request.python);
    m_settings->setValue("import/source", dataText(request.source));
    m_settings->setValue("import/folder", dataText(request.output.parent_path().string()));
}

void ImportController::askPython(const QString& python)
{
    m_dialog->setPythonAsked();
    m_pythonJob.start(
        tr("Asking Python"),
        [program = python.toStdString()](const Progress& progress) { return checkPython(program, progress); },
        [this](const Result<PythonVersion>& version) {
            if (!m_dialog)
                return;
            if (version.has_value())
                m_dialog->setPython(*version);
            else
                m_dialog->setPythonProblem(shownText(version.error().message));
        });
}

void ImportController::start()
{
    ImportRequest request = m_dialog->request();
    keep(request);
    m_dialog->setProgress(tr("Starting Python"), 0);
    m_job.start(
        tr("Importing"),
        [request](const Progress& progress) -> Result<ImportOutcome> {
            return importModel(request, progress);
        },
        [this, output = request.output](const Result<ImportOutcome>& outcome) { finish(outcome, output); });
}

void ImportController::finish(const Result<ImportOutcome>& outcome, const std::filesystem::path& output)
{
    if (!m_dialog)
        return;
    const Result<ImportedModel> model =
        outcome.has_value() ? outcome->model : Result<ImportedModel>(outcome.error());
    if (!model.has_value() && model.error().code == ErrorCode::Cancelled)
        return m_dialog->setIdle();
    if (!model.has_value())
        return m_dialog->setFailed(shownText(model.error().message),
                                   outcome.has_value() ? shownText(outcome->details, LineBreaks::Keep)
                                                       : QString());
    m_dialog->setIdle();
    m_dialog->accept();
    emit imported(dataText(output.string()));
}

} // namespace stagecraft
