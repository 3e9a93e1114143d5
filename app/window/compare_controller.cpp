#include "app/window/compare_controller.h"

#include "app/document/document.h"
#include "app/document/request_changes.h"
#include "app/document/schedule_figures.h"
#include "app/document/stages_memory.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/charts/curve_panel.h"
#include "views/charts/step_memory_panel.h"
#include "views/charts/trade_offs_panel.h"
#include "views/code/code_diff.h"
#include "views/plan/compare_bar.h"

#include <QDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

std::optional<std::size_t> idOf(const PlanHistory::Entry& plan)
{
    return plan ? std::optional(plan->id) : std::nullopt;
}

CodeVersion versionOf(const QString& name, const std::vector<StagePage>& pages)
{
    CodeVersion version{.name = name, .stages = {}};
    for (const StagePage& page : pages)
        version.stages.push_back(page.code);
    return version;
}

void explain(QAction* action, const QString& tip)
{
    action->setStatusTip(tip);
    action->setToolTip(tip);
}

} // namespace

CompareController::CompareController(QMainWindow* window, QMenu* menu, Document& document,
                                     const WindowViews& views, QSettings* settings)
    : m_window(window),
      m_document(document),
      m_views(views),
      m_settings(settings),
      m_history(document),
      m_comparison(document, m_history),
      m_bar(new CompareBar(window)),
      m_menu(menu)
{
    fillMenu();
    connectViews();
    showHistory();
    showActions();
}

QAction* CompareController::add(const QString& text, const QString& tip, const QKeySequence& key,
                                void (CompareController::*act)())
{
    QAction* action = m_menu->addAction(text);
    action->setShortcut(key);
    explain(action, tip);
    connect(action, &QAction::triggered, this, act);
    return action;
}

void CompareController::fillMenu()
{
    add(tr("&Keep this plan as B"), tr("Compare all that follows with the plan as it is now"),
        QKeySequence("Ctrl+B"), &CompareController::keepPlan);
    add(tr("With its &best cuts"),
        tr("Find the best cuts for what this plan is made for and keep that plan as B"), {},
        &CompareController::compareWithBest);
    m_menu->addSeparator();
    m_sameCuts = m_menu->addAction(tr("Same c&uts as this plan"));
    m_sameCuts->setCheckable(true);
    explain(m_sameCuts, tr("The plans below cut where this one does; otherwise each cuts where it is best"));
    addField(tr("With another s&chedule"), "schedule");
    m_devices = m_menu->addMenu(tr("With another &device"));
    connect(m_devices, &QMenu::aboutToShow, this, &CompareController::fillDevices);
    fillDevices();
    addField(tr("With another &precision"), "precision");
    offerOthers();
    add(tr("With a plan &file…"), tr("Compare with a plan that was saved"), {},
        &CompareController::compareWithFile);
    m_menu->addSeparator();
    m_swap = m_menu->addAction(tr("S&wap A and B"), &m_comparison, &PlanComparison::swap);
    m_swap->setShortcut(QKeySequence("Ctrl+Shift+B"));
    explain(m_swap, tr("B becomes the plan, in one step of undo, and the plan B"));
    m_code = add(tr("Code of &A and B…"), tr("How the code of the stages differs"), {},
                 &CompareController::openCode);
    m_drop = m_menu->addAction(tr("D&rop B"), &m_comparison, &PlanComparison::drop);
    explain(m_drop, tr("Compare no longer"));
    m_menu->addSeparator();
    add(tr("&History of plans"), tr("All plans that were tried, to go back to and to compare with"),
        QKeySequence("Ctrl+H"), &CompareController::historyRequested);
}

void CompareController::addField(const QString& title, std::string_view name)
{
    QMenu* menu = m_menu->addMenu(title);
    const RequestField& field = requestField(name);
    for (const FieldChoice& choice : field.choices()) {
        const QString text = termText(choice.title);
        QAction* action = menu->addAction(menuText(text));
        m_ofFields.push_back(
            {action, tr("Find the plan under %1 and keep it as B").arg(text),
             [this, &field, name = choice.name] { return field.print(m_document.request()) == name; }});
        connect(action, &QAction::triggered, this, [this, &field, choice, text] {
            compareUnder(withChoice(m_document.request(), field, choice.name), text);
        });
    }
}

void CompareController::fillDevices()
{
    m_devices->clear();
    m_ofDevices.clear();
    for (const DeviceSpec& device : m_document.devices()) {
        const QString text = shownText(device.name);
        QAction* action = m_devices->addAction(menuText(text));
        m_ofDevices.push_back({action, tr("Find the plan for %1 and keep it as B").arg(text),
                               [this, id = device.id] { return m_document.request().device == id; }});
        connect(action, &QAction::triggered, this, [this, id = device.id, text] {
            PlanRequest request = m_document.request();
            request.device = id;
            compareUnder(request, text);
        });
    }
    offerOthers();
}

void CompareController::offerOthers()
{
    for (const auto* offers : {&m_ofFields, &m_ofDevices})
        for (const auto& [action, tip, isOfThisPlan] : *offers) {
            action->setEnabled(!isOfThisPlan());
            explain(action, action->isEnabled() ? tip : tr("The plan has this one already"));
        }
}

void CompareController::keepPlan()
{
    m_comparison.keepCurrent();
}

void CompareController::compareUnder(const PlanRequest& request, const QString& title)
{
    const bool isSame = m_sameCuts->isChecked();
    m_comparison.compareWithRequest(request, isSame ? tr("%1, the same cuts").arg(title) : title,
                                    isSame ? PlanComparison::Cuts::Same : PlanComparison::Cuts::Best);
}

void CompareController::compareWithBest()
{
    m_comparison.compareWithRequest(m_document.request(), tr("Best cuts"), PlanComparison::Cuts::Best);
}

void CompareController::compareWithFile()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Compare with a plan"),
                                                      m_settings->value("openFolder").toString(),
                                                      tr("Plans (*.stagecraft);;All files (*)"));
    if (path.isEmpty())
        return;
    m_settings->setValue("openFolder", QFileInfo(path).absolutePath());
    m_comparison.compareWithFile(path.toStdString());
}

void CompareController::connectViews()
{
    connect(m_bar, &CompareBar::swapRequested, &m_comparison, &PlanComparison::swap);
    connect(m_bar, &CompareBar::dropRequested, &m_comparison, &PlanComparison::drop);
    connect(m_views.schedule, &ScheduleView::comparedDismissed, &m_comparison, &PlanComparison::drop);
    connect(m_views.schedule, &ScheduleView::shown, this, &CompareController::showSchedule);
    connect(m_views.stepMemory, &StepMemoryPanel::comparedStagesWanted, this, [this] {
        const PlanHistory::Entry& other = m_comparison.other();
        m_views.stepMemory->setComparedStages(other ? stagesMemory(other->state) : nullptr);
    });
    connect(&m_history, &PlanHistory::changed, this, &CompareController::showHistory);
    connect(&m_history, &PlanHistory::changed, this, &CompareController::showActions);
    connect(&m_comparison, &PlanComparison::changed, this, &CompareController::showOther);
    connect(&m_comparison, &PlanComparison::codeChanged, this, &CompareController::showCode);
    for (const auto changed : {&Document::planChanged, &Document::previewChanged, &Document::modelChanged})
        connect(&m_document, changed, this, &CompareController::showPlan);
    for (const auto changed : {&Document::planChanged, &Document::modelChanged})
        connect(&m_document, changed, this, &CompareController::offerOthers);
    connect(&m_document, &Document::codeChanged, this, &CompareController::showCode);
    HistoryPanel* panel = m_views.history;
    onShow(panel, [this] { showHistory(); });
    connect(panel, &HistoryPanel::returnRequested, &m_history, &PlanHistory::restore);
    connect(panel, &HistoryPanel::starRequested, &m_history, &PlanHistory::setStarred);
    connect(panel, &HistoryPanel::removeRequested, &m_history, &PlanHistory::remove);
    connect(panel, &HistoryPanel::compareRequested, this,
            [this](std::size_t id) { m_comparison.compareWith(m_history.find(id)); });
}

// A panel that nobody sees needs no rows.
void CompareController::showHistory()
{
    if (!m_views.history->isVisible() && !m_history.plans().empty())
        return;
    std::vector<HistoryEntry> entries;
    for (const PlanHistory::Entry& plan : m_history.plans())
        entries.push_back(
            {plan->id, plan->setup, plan->origin, plan->when, plan->isStarred, comparedPlan(*plan)});
    m_views.history->setPlans(std::move(entries), idOf(m_history.current()), idOf(m_comparison.other()));
}

void CompareController::showOther()
{
    const PlanHistory::Entry& other = m_comparison.other();
    const auto shown = other ? std::make_shared<const ComparedPlan>(comparedPlan(*other)) : nullptr;
    const auto partition = shown ? shown->partition : nullptr;
    m_views.graph->setCompared(partition);
    m_views.charts->setCompared(partition);
    m_views.stages->setCompared(shown);
    m_views.operators->setCompared(shown);
    m_views.modules->setCompared(shown);
    m_views.memory->setCompared(shown);
    m_views.stepMemory->setCompared(shown);
    m_views.curve->setCompared(shown ? shown->cost : nullptr);
    m_views.tradeOffs->setCompared(shown ? shown->cost : nullptr);
    m_bar->setCompared(shown);
    showPlan();
    showSchedule();
    showHistory();
    showActions();
}

void CompareController::showPlan()
{
    m_bar->setPlan(m_document.shown().cost, m_document.shown().partition);
}

void CompareController::showSchedule()
{
    const PlanHistory::Entry& other = m_comparison.other();
    if (!other)
        m_views.schedule->setCompared(nullptr);
    else if (m_views.schedule->isVisible())
        m_views.schedule->setCompared(scheduleFigures(other->state));
}

void CompareController::showActions()
{
    const bool hasPlan = m_history.current() != nullptr;
    for (QAction* action : m_menu->actions())
        action->setEnabled(hasPlan);
    m_menu->actions().back()->setEnabled(m_document.hasModel());
    for (QAction* action : {m_swap, m_code, m_drop})
        action->setEnabled(hasPlan && m_comparison.other());
}

void CompareController::showCode()
{
    if (!m_diff)
        return;
    m_comparison.writeCode();
    m_diff->setVersions(versionOf(tr("B"), m_comparison.pages()), versionOf(tr("A"), m_document.pages()));
}

void CompareController::openCode()
{
    if (m_diff)
        return m_diff->window()->raise();
    auto* dialog = new QDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Code of A and B"));
    m_diff = new CodeDiff(dialog);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_diff);
    dialog->resize(m_window->size() * 0.7);
    dialog->show();
    showCode();
}

} // namespace stagecraft
