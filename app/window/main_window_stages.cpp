// What the window's actions on stages and boundaries do. The rest is in main_window_actions.cpp.
#include "app/document/plan_constraints.h"
#include "app/document/plan_edit.h"
#include "app/window/docks.h"
#include "app/window/main_window.h"
#include "app/window/schedule_file.h"
#include "views/base/message_bar.h"
#include "views/base/plain_text.h"

#include <QFileDialog>
#include <QMenu>
#include <QSettings>
#include <QSpinBox>
#include <QStatusBar>

namespace stagecraft {

void MainWindow::connectStageActions()
{
    Selection* selection = m_views.selection;
    connect(m_stageCount, &QSpinBox::valueChanged, this, [this](int count) {
        PlanChoices choices = m_document.choices();
        choices.stageCount = static_cast<std::size_t>(count);
        m_document.setChoices(choices);
    });
    connect(m_actions.split, &QAction::triggered, &m_document, &Document::splitAutomatically);
    connect(m_actions.addBoundary, &QAction::triggered, this, [this, selection] {
        if (!selection->nodes().empty())
            m_document.addBoundary(
                splitPosition(*m_document.state().partition, selection->nodes(), SplitSide::Before));
    });
    GraphView* graph = m_views.graph;
    connect(m_actions.previousBoundary, &QAction::triggered, graph, [graph] { graph->chooseBoundary(-1); });
    connect(m_actions.nextBoundary, &QAction::triggered, graph, [graph] { graph->chooseBoundary(1); });
    connect(m_actions.sendUp, &QAction::triggered, this,
            [this, selection] { m_document.send(selection->nodes(), StageDirection::Previous); });
    connect(m_actions.sendDown, &QAction::triggered, this,
            [this, selection] { m_document.send(selection->nodes(), StageDirection::Next); });
    const auto onBoundary = [this, selection](const QAction* action, auto edit) {
        connect(action, &QAction::triggered, this, [selection, edit] {
            if (selection->boundary())
                edit(*selection->boundary());
        });
    };
    onBoundary(m_actions.removeBoundary,
               [this](BoundaryId boundary) { m_document.removeBoundary(boundary); });
    onBoundary(m_actions.boundaryUp, [this](BoundaryId boundary) {
        m_document.moveBoundary(boundary, StageDirection::Previous, BoundaryStep::OneModule);
    });
    onBoundary(m_actions.boundaryDown, [this](BoundaryId boundary) {
        m_document.moveBoundary(boundary, StageDirection::Next, BoundaryStep::OneModule);
    });
    onBoundary(m_actions.boundaryBest, [this](BoundaryId boundary) {
        m_document.moveBoundary(boundary, StageDirection::Next, BoundaryStep::BestNearby);
    });
    connect(m_actions.planOptions, &QAction::triggered, this, [this] { m_docks->show(m_views.options); });
    connect(m_actions.saveSchedule, &QAction::triggered, this, &MainWindow::saveSchedule);
    m_views.schedule->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_views.schedule->addAction(m_actions.saveSchedule);
    connect(m_views.options, &PlanOptionsPanel::choicesChanged, this, [this](const PlanChoices& choices) {
        m_environment.settings->setValue("device", QString::fromStdString(choices.deviceId));
    });
}

void MainWindow::saveSchedule()
{
    const auto beside = m_document.modelPath().parent_path() / (m_document.model()->name + ".schedule.json");
    const QString table = tr("Tables of torch.distributed.pipelining (*.csv)");
    QString filter;
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save the schedule"), QString::fromStdString(beside.string()),
                                     tr("Trace events for Perfetto (*.json)") + ";;" + table, &filter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += filter == table ? ".csv" : ".json";
    if (!mayWrite(path))
        return;
    const Result<void> saved = stagecraft::saveSchedule(m_document.state(), path.toStdString());
    if (saved.has_value())
        statusBar()->showMessage(tr("Saved %1").arg(shownText(path)), 4000);
    else
        m_messages->post(
            {"failed", Message::Severity::Error, QString::fromStdString(saved.error().message), {}, {}});
}

// What is held fast, whatever is searched for.
void MainWindow::connectHoldActions()
{
    Selection* selection = m_views.selection;
    connect(m_actions.lockBoundary, &QAction::triggered, this, [this, selection] {
        if (selection->boundary())
            m_document.toggleLock(*selection->boundary());
        else
            m_document.togglePins(selection->nodes());
        showStageActions();
    });
    connect(m_actions.pin, &QAction::triggered, this, [this, selection] {
        m_document.togglePins(selection->nodes());
        showStageActions();
    });
    connect(m_actions.keepTogether, &QAction::triggered, this,
            [this, selection] { m_document.keepTogether(selection->nodes()); });
    connect(m_actions.letApart, &QAction::triggered, this,
            [this, selection] { m_document.letApart(selection->nodes()); });
    connect(selection, &Selection::nodesChanged, this, &MainWindow::showStageActions);
    connect(selection, &Selection::boundaryChanged, this, &MainWindow::showStageActions);
    connect(&m_document, &Document::modelChanged, this, &MainWindow::showStageActions);
    connect(&m_document, &Document::planChanged, this, &MainWindow::showStageActions);
}

// Enabled while there is something for them to act on; checked as that is.
void MainWindow::showStageActions()
{
    const std::vector<NodeId>& nodes = m_views.selection->nodes();
    const auto boundary = m_views.selection->boundary();
    const bool hasModel = m_document.hasModel();
    const bool hasNodes = !nodes.empty() && hasModel;
    for (QAction* action : {m_actions.addBoundary, m_actions.sendUp, m_actions.sendDown, m_actions.pin,
                            m_actions.keepTogether, m_actions.fitSelection})
        action->setEnabled(hasNodes);
    for (QAction* action :
         {m_actions.removeBoundary, m_actions.boundaryUp, m_actions.boundaryDown, m_actions.boundaryBest})
        action->setEnabled(hasModel && boundary.has_value());
    const bool hasBox = hasModel && m_views.graph->hasBoxSelected();
    m_actions.toggleBox->setEnabled(hasBox);
    m_actions.toggleBelow->setEnabled(hasBox);
    m_actions.lockBoundary->setEnabled(hasModel && (boundary || hasNodes));
    const PlanState& state = m_document.state();
    const bool isPinned = hasNodes && arePinned(state, nodes);
    m_actions.lockBoundary->setChecked(boundary ? hasModel && m_document.isLocked(*boundary) : isPinned);
    m_actions.pin->setChecked(isPinned);
    m_actions.letApart->setEnabled(hasNodes && areKeptTogether(state, nodes));
    showBlockActions();
}

void MainWindow::showGraphMenu(GraphView::MenuSubject subject, const QPoint& position)
{
    showStageActions();
    QMenu menu(this);
    switch (subject) {
    case GraphView::MenuSubject::Boundary:
        fillBoundaryMenu(&menu, m_actions);
        break;
    case GraphView::MenuSubject::Ops:
        fillOpsMenu(&menu, m_actions);
        break;
    case GraphView::MenuSubject::View:
        fillGraphMenu(&menu, m_actions);
        break;
    }
    menu.exec(position);
}

} // namespace stagecraft
