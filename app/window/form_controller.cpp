#include "app/window/form_controller.h"

#include "app/document/document.h"
#include "app/window/docks.h"
#include "app/window/file_commands.h"
#include "core/base/quantities.h"
#include "core/forms/build_form.h"
#include "core/forms/saved_form.h"
#include "views/base/plain_text.h"
#include "views/pages/new_model_dialog.h"
#include "views/plan/form_panel.h"

#include <QAction>
#include <QLocale>
#include <QMainWindow>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

QString figuresOf(const Model& model)
{
    const auto parameters = static_cast<double>(parameterCount(model));
    return FormController::tr("%1 parameters, %2 ops")
        .arg(shownText(formatCount(parameters)),
             QLocale(QLocale::English).toString(static_cast<qulonglong>(model.graph.nodeCount())));
}

// Of its model; or why it has none.
Result<QString> figuresOf(const Form& form)
{
    STAGECRAFT_ASSIGN(model, buildForm(form));
    return figuresOf(model);
}

} // namespace

FormController::FormController(QMainWindow* window, Docks* docks, Document& document, FileCommands& files,
                               fs::path folder)
    : QObject(window),
      m_window(window),
      m_docks(docks),
      m_document(document),
      m_files(files),
      m_formFiles(std::move(folder)),
      m_panel(new FormPanel),
      m_action(new QAction(tr("&New model…"), this)),
      m_making(m_queue)
{
    m_panel->setWhatsThis(
        tr("<h3>Form</h3><p>The sizes of a model that was made from a form.</p><p>Change one: the "
           "model is made anew, and its plan with it.</p>"));
    m_docks->addOptional(tr("Form"), "formDock", m_panel);
    constexpr int patience = 300;
    m_delay.setSingleShot(true);
    m_delay.setInterval(patience);
    connect(m_action, &QAction::triggered, this, &FormController::askForForm);
    connect(m_panel, &FormPanel::formChanged, this, [this] { m_delay.start(); });
    connect(&m_delay, &QTimer::timeout, this, &FormController::followPanel);
    connect(&m_document, &Document::modelChanged, this, &FormController::showForm);
    connect(&m_document, &Document::planSaved, this, [this] { m_formFiles.keep(m_document.modelPath()); });
    connect(&m_files, &FileCommands::opening, this, &FormController::giveWay);
}

void FormController::askForForm()
{
    NewModelDialog dialog(m_window);
    connect(&dialog, &NewModelDialog::formChanged, &dialog, [this, &dialog] { showFigures(&dialog); });
    showFigures(&dialog);
    if (dialog.exec() == QDialog::Accepted)
        make(dialog.form());
}

void FormController::showFigures(NewModelDialog* dialog)
{
    const Result<QString> figures = figuresOf(dialog->form());
    if (figures.has_value())
        dialog->setFigures(*figures);
    else
        dialog->setProblem(shownText(figures.error().message));
}

void FormController::followPanel()
{
    const Result<QString> figures = figuresOf(m_panel->form());
    if (!figures.has_value())
        return m_panel->setProblem(shownText(figures.error().message));
    m_panel->setFigures(*figures);
    make(m_panel->form());
}

void FormController::make(const Form& form)
{
    m_making.start(
        tr("Making the model"),
        [form, folder = m_formFiles.folder()](const Progress& progress) {
            return writeFormFile(form, folder, progress);
        },
        [this](Result<FormFile> file) {
            if (!file.has_value()) {
                m_document.report(file.error());
                return file.error().code == ErrorCode::Cancelled ? showForm() : void();
            }
            m_formFiles.add(*file);
            m_opening = file->path;
            if (!m_files.open(QString::fromStdString(m_opening.string())))
                showForm(); // the numbers of the model that stays
        });
}

// What is still to be made would be opened over it.
void FormController::giveWay(const QString& path)
{
    if (path.toStdString() == m_opening)
        return;
    m_delay.stop();
    m_making.cancel();
    showForm();
}

// The panel is there as long as a model is open whose file says that it was made from a form.
void FormController::showForm()
{
    if (!m_document.hasModel())
        return; // another is being opened
    const std::filesystem::path& path = m_document.modelPath();
    m_formFiles.leaveOnly(path);
    const std::optional<Form> form = savedForm(*m_document.openedModel());
    m_docks->setThere(m_panel, form.has_value());
    if (!form)
        return m_delay.stop();
    const bool isBehind = m_delay.isActive() || m_making.isRunning();
    if (isBehind && path == m_opening)
        return; // another number was turned meanwhile
    m_panel->setForm(*form);
    m_panel->setFigures(figuresOf(*m_document.openedModel()));
}

} // namespace stagecraft
