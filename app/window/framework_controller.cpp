#include "app/window/framework_controller.h"

#include "app/document/document.h"
#include "views/base/plain_text.h"
#include "views/pages/framework_dialog.h"

namespace stagecraft {

FrameworkController::FrameworkController(Document& document, FrameworkDialog& dialog, QObject* parent)
    : QObject(parent), m_document(document), m_dialog(dialog), m_job(m_queue)
{
    dialog.setModelName(shownText(document.model()->name));
    connect(&dialog, &FrameworkDialog::frameworkChanged, this, &FrameworkController::say);
    connect(&dialog, &FrameworkDialog::applyRequested, this, &FrameworkController::apply);
    connect(&document, &Document::planChanged, this, &FrameworkController::say);
    connect(&document, &Document::modelGone, &dialog, &QDialog::reject);
    say();
}

void FrameworkController::say()
{
    const PlanState& state = m_document.state();
    const Subject subject{m_dialog.framework(), state.problem, state.partition};
    if (std::exchange(m_subject, subject) == subject) // of the plan there is other news: its bound
        return;
    m_nearest.reset();
    m_job.cancel();
    if (!m_document.hasModel() || !state.problem ||
        state.problem->stageCount() != state.partition->stageCount)
        return m_dialog.setProblem(tr("There is no plan with its costs yet."));
    m_dialog.setSearching();
    m_job.start(
        tr("Looking for a plan"),
        [framework = m_dialog.framework(), model = m_document.model(), profile = state.profile,
         problem = state.problem, partition = state.partition](const Progress& progress) {
            return sayPlan(framework, *model, *profile, *problem, *partition, progress);
        },
        [this](const Result<SaidPlan>& said) { show(said); });
}

void FrameworkController::show(const Result<SaidPlan>& said)
{
    if (!said.has_value())
        return m_dialog.setProblem(shownText(said.error().message));
    QStringList unsaid{shownText(unsaidRecomputation(m_dialog.framework(), m_document.state().request.plan))};
    for (const std::string& line : said->unsaid)
        unsaid << shownText(line);
    unsaid.removeAll(QString());
    if (!said->instead)
        return m_dialog.setText(dataText(said->text), unsaid.join(u"; "));
    m_nearest = said->instead->plan.partition;
    unsaid.prepend(shownText(said->instead->costs));
    m_dialog.setNearest(dataText(said->text), shownText(said->instead->inTheWay.message), unsaid.join(u"; "));
}

void FrameworkController::apply()
{
    if (m_nearest)
        m_document.adoptPlan(
            tr("Take the plan for %1").arg(shownText(nameOf(frameworkNames, m_dialog.framework()))),
            Partition(*m_nearest));
}

} // namespace stagecraft
