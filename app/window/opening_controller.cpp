#include "app/window/opening_controller.h"

#include "app/document/document.h"
#include "app/document/opened_file.h"
#include "core/plan/sources/plan_file.h"
#include "views/base/plain_text.h"
#include "views/pages/program_dialog.h"
#include "views/pages/script_inputs_dialog.h"

#include <QAction>
#include <QMenu>

namespace stagecraft {

namespace {

QString nameOf(const std::filesystem::path& path)
{
    return shownText(path.filename().string());
}

// The model that is opened with the file; where a plan's is not there, the other; may be empty.
std::filesystem::path modelOf(const std::filesystem::path& path, const std::filesystem::path& otherModel)
{
    if (!isPlanPath(path))
        return path;
    const Result<PlanFile> plan = readPlan(path);
    std::error_code ignored; // what cannot be looked at is not there
    return plan.has_value() && std::filesystem::exists(plan->model.path, ignored) ? plan->model.path
                                                                                  : otherModel;
}

} // namespace

OpeningController::OpeningController(QWidget* window, Document& document,
                                     const std::filesystem::path& dataFolder)
    : QObject(window),
      m_window(window),
      m_document(document),
      m_answers(dataFolder),
      m_action(new QAction(tr("Open with other inputs…"), window)),
      m_looking(m_queue)
{
    const QString tip = tr("Open the model again with other inputs of its script, or another program of its "
                           "file");
    m_action->setObjectName("otherInputs");
    m_action->setToolTip(tip);
    m_action->setStatusTip(tip);
    m_action->setEnabled(false);
    connect(m_action, &QAction::triggered, this, [this] {
        start(m_document.planPath().empty() ? m_document.modelPath() : m_document.planPath(),
              Ask::Everything);
    });
    connect(&document, &Document::modelChanged, this, [this] {
        m_tried.clear();
        showWhetherAskable();
    });
}

void OpeningController::showIn(QMenu* menu, QAction* before)
{
    menu->insertAction(before, m_action);
}

void OpeningController::showWhetherAskable()
{
    const bool isScript =
        m_document.hasModel() && m_document.openedModel()->provenance.dialect == "TorchScript";
    const bool isOneOfSeveral = !m_answers.of(m_document.modelPath()).program.empty();
    m_action->setEnabled(m_answers.canKeep() && (isScript || isOneOfSeveral));
    m_action->setText(isOneOfSeveral && !isScript ? tr("Open another program of the file…")
                                                  : tr("Open with other inputs…"));
}

void OpeningController::open(const std::filesystem::path& path)
{
    if (m_dialog) { // it is of what was to be opened before
        m_dialog->disconnect(this);
        m_dialog->reject();
    }
    m_looking.cancel();
    if (m_answers.canKeep())
        start(path, path == m_tried ? Ask::Everything : Ask::WhatIsMissing);
    else
        m_document.open(path);
}

// What cannot be read is left to the document, which says why.
OpeningController::Found OpeningController::look(const std::filesystem::path& path,
                                                 const std::filesystem::path& otherModel,
                                                 const KeptAnswers& answers, const Progress& progress)
{
    Found found{modelOf(path, otherModel), {}, {}};
    if (found.model.empty() || !mayLeaveChoices(found.model))
        return found;
    if (Result<OpenChoices> choices = openChoices(found.model, progress); choices.has_value())
        found.choices = *std::move(choices);
    found.kept = answers.of(found.model);
    return found;
}

void OpeningController::start(const std::filesystem::path& path, Ask how)
{
    m_looking.start(
        tr("Opening %1").arg(nameOf(path)),
        [path, other = m_document.modelPath(), answers = m_answers](
            const Progress& progress) -> Result<Found> { return look(path, other, answers, progress); },
        [this, path, how](const Result<Found>& found) {
            if (!found.has_value())
                return m_document.report(found.error());
            const bool isAnswered = checkRequest(found->choices, found->kept).has_value();
            const bool isAskable = !found->choices.programs.empty() || !found->choices.arguments.empty();
            if (!isAskable || (how == Ask::WhatIsMissing && isAnswered))
                openAnswered(path);
            else
                ask(path, *found);
        });
}

void OpeningController::ask(const std::filesystem::path& path, const Found& found)
{
    if (!found.choices.programs.empty())
        askForProgram(path, found);
    else
        askForInputs(path, found);
}

void OpeningController::askForProgram(const std::filesystem::path& path, const Found& found)
{
    auto* dialog = new ProgramDialog(m_window);
    dialog->setQuestion(nameOf(found.model), found.choices.programs, found.kept.program);
    connect(dialog, &QDialog::accepted, this,
            [this, path, found, dialog] { take(path, found, {.program = dialog->program()}); });
    show(dialog);
}

void OpeningController::askForInputs(const std::filesystem::path& path, const Found& found)
{
    auto* dialog = new ScriptInputsDialog(m_window);
    dialog->setQuestion(nameOf(found.model), found.choices.arguments,
                        argumentTexts(found.choices.arguments, found.kept.inputs),
                        found.choices.hasOwnInputs);
    connect(dialog, &QDialog::accepted, this,
            [this, path, found, dialog] { take(path, found, {.inputs = dialog->inputs()}); });
    show(dialog);
}

void OpeningController::show(QDialog* dialog)
{
    m_dialog = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::rejected, this, &OpeningController::givenUp);
    dialog->open();
}

void OpeningController::take(const std::filesystem::path& path, const Found& found,
                             const OpenRequest& request)
{
    const Result<void> kept = m_answers.keep(found.model, request);
    if (!kept.has_value())
        return m_document.report(kept.error());
    openAnswered(path);
}

void OpeningController::openAnswered(const std::filesystem::path& path)
{
    m_tried = path;
    m_document.open(path);
}

} // namespace stagecraft
