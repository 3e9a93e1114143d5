#include "app/window/form_controller.h"

#include "app/document/document.h"
#include "app/window/docks.h"
#include "app/window/file_commands.h"
#include "core/base/sha256.h"
#include "core/forms/build_form.h"
#include "core/stage/model_writer.h"
#include "views/base/plain_text.h"
#include "views/pages/new_model_dialog.h"
#include "views/plan/form_panel.h"

#include <QAction>
#include <QMainWindow>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

// The same for the same form, another for another.
fs::path fileNameOf(const Form& form)
{
    const std::string name = formName(form);
    if (name != form.family)
        return name + ".pt2";
    std::string text = form.family;
    for (const auto& [parameter, value] : form.values)
        text += " " + parameter + " " + std::to_string(value);
    return name + "-" + sha256Of(text).substr(0, 8) + ".pt2";
}

// Its figures; or why it has no model.
Result<QString> figuresOf(const Form& form)
{
    STAGECRAFT_ASSIGN(model, buildForm(form));
    const auto parameters = static_cast<double>(parameterCount(model));
    return FormController::tr("%1 parameters, %2 ops")
        .arg(shownText(formatCount(parameters)))
        .arg(model.graph.nodeCount());
}

Result<fs::path> writeForm(const Form& form, const fs::path& folder, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, buildForm(form));
    std::error_code failure;
    fs::create_directories(folder, failure);
    const fs::path path = folder / fileNameOf(form);
    STAGECRAFT_ASSIGN(size, writeModelPt2(path, model, progress));
    static_cast<void>(size);
    return path;
}

} // namespace

FormController::FormController(QMainWindow* window, Docks* docks, Document& document, FileCommands& files,
                               fs::path folder)
    : QObject(window),
      m_window(window),
      m_docks(docks),
      m_document(document),
      m_files(files),
      m_folder(std::move(folder)),
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
    connect(&m_files, &FileCommands::opening, this, &FormController::giveWay);
}

fs::path FormController::folder() const
{
    return m_folder.empty() ? fs::path(m_ownFolder.path().toStdString()) : m_folder;
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
        [form, folder = folder()](const Progress& progress) { return writeForm(form, folder, progress); },
        [this, form](Result<fs::path> path) {
            if (!path.has_value())
                return m_document.report(path.error());
            m_forms.insert_or_assign(*path, form);
            m_opening = *path;
            if (!m_files.open(QString::fromStdString(path->string())))
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

// The panel is there as long as a model is open that was made from a form.
void FormController::showForm()
{
    if (!m_document.hasModel())
        return; // another is being opened
    const auto known = m_forms.find(m_document.modelPath());
    const bool isForm = known != m_forms.end();
    m_docks->setThere(m_panel, isForm);
    if (!isForm)
        return m_delay.stop();
    const bool isBehind = m_delay.isActive() || m_making.isRunning();
    if (isBehind && known->first == m_opening)
        return; // another number was turned meanwhile
    m_panel->setForm(known->second);
    if (const Result<QString> figures = figuresOf(known->second); figures.has_value())
        m_panel->setFigures(*figures);
}

} // namespace stagecraft
