#include "app/window/stage_actions.h"

#include "app/document/constraint_steps.h"
#include "app/document/document.h"
#include "app/document/plan_edit.h"
#include "core/plan/split_spec.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"

#include <QInputDialog>
#include <QMenu>
#include <QUndoStack>

#include <algorithm>

namespace stagecraft {

StageActions::StageActions(const Actions& actions, const RecomputeActions& recompute,
                           const WindowViews& views, Document& document)
    : m_actions(actions),
      m_recompute(recompute),
      m_views(views),
      m_selection(views.selection),
      m_document(document)
{
    connectStages();
    connectBoundaries();
    connectHolds();
    connect(m_views.graph, &GraphView::menuRequested, this, &StageActions::showGraphMenu);
    connect(m_views.charts, &ExecutionCharts::menuRequested, this, &StageActions::showChartsMenu);
    const QList<QAction*> holds = QList<QAction*>{m_actions.pin, m_actions.keepTogether, m_actions.letApart,
                                                  m_actions.blockModule, m_actions.blockClass} +
                                  m_recompute.actions();
    m_views.modules->setMenuActions(holds);
    m_views.operators->setMenuActions(holds);
    m_views.stages->setStageMenu(m_recompute.ofStage());
    connect(m_selection, &Selection::nodesChanged, this, &StageActions::show);
    connect(m_selection, &Selection::boundaryChanged, this, &StageActions::show);
    connect(m_selection, &Selection::stageChanged, this, &StageActions::show);
    connect(&m_document, &Document::modelChanged, this, &StageActions::show);
    connect(&m_document, &Document::planChanged, this, &StageActions::show);
}

void StageActions::connectStages()
{
    connect(m_actions.split, &QAction::triggered, &m_document, &Document::splitAutomatically);
    connect(m_actions.addBoundary, &QAction::triggered, this, [this] {
        const std::vector<NodeId>& nodes = m_selection->nodes();
        if (!nodes.empty())
            m_document.addBoundary(splitPosition(*m_document.state().partition, nodes, SplitSide::Before));
    });
    connect(m_actions.sendUp, &QAction::triggered, this,
            [this] { m_document.send(m_selection->nodes(), StageDirection::Previous); });
    connect(m_actions.sendDown, &QAction::triggered, this,
            [this] { m_document.send(m_selection->nodes(), StageDirection::Next); });
}

void StageActions::connectBoundaries()
{
    GraphView* graph = m_views.graph;
    connect(m_actions.previousBoundary, &QAction::triggered, graph, [graph] { graph->chooseBoundary(-1); });
    connect(m_actions.nextBoundary, &QAction::triggered, graph, [graph] { graph->chooseBoundary(1); });
    const auto onBoundary = [this](const QAction* action, auto edit) {
        connect(action, &QAction::triggered, this, [this, edit] {
            if (m_selection->boundary())
                edit(*m_selection->boundary());
        });
    };
    const auto onMove = [&](const QAction* action, StageDirection direction, BoundaryStep step) {
        onBoundary(action,
                   [=, this](BoundaryId boundary) { m_document.moveBoundary(boundary, direction, step); });
    };
    onBoundary(m_actions.removeBoundary,
               [this](BoundaryId boundary) { m_document.removeBoundary(boundary); });
    onMove(m_actions.boundaryUp, StageDirection::Previous, BoundaryStep::OneModule);
    onMove(m_actions.boundaryDown, StageDirection::Next, BoundaryStep::OneModule);
    onMove(m_actions.boundaryBest, StageDirection::Next, BoundaryStep::BestNearby);
}

// Constraints, whatever is searched for.
void StageActions::connectHolds()
{
    connect(m_actions.lockBoundary, &QAction::triggered, this, [this] {
        if (m_selection->boundary())
            toggleLock(m_document, *m_selection->boundary());
        else
            togglePins(m_document, m_selection->nodes());
        show();
    });
    connect(m_actions.pin, &QAction::triggered, this, [this] {
        togglePins(m_document, m_selection->nodes());
        show();
    });
    connect(m_actions.keepTogether, &QAction::triggered, this,
            [this] { keepTogether(m_document, m_selection->nodes()); });
    connect(m_actions.keepStage, &QAction::triggered, this, &StageActions::toggleStage);
    connect(m_actions.keepResults, &QAction::triggered, this, [this] {
        toggleResultsKept(m_document, m_selection->nodes());
        show();
    });
    connect(m_actions.blockDepth, &QAction::triggered, this, &StageActions::askForDepth);
    connect(m_actions.letApart, &QAction::triggered, this,
            [this] { letApart(m_document, m_selection->nodes()); });
    connect(m_actions.blockModule, &QAction::triggered, this, [this] { toggleBlocks(Extent::OneModule); });
    connect(m_actions.blockClass, &QAction::triggered, this, [this] { toggleBlocks(Extent::WholeClass); });
}

std::vector<BoundaryId> StageActions::sidesOfStage() const
{
    const auto stage = m_selection->stage();
    std::vector<BoundaryId> sides;
    if (!stage || !m_document.hasModel())
        return sides;
    if (stage->index() > 0)
        sides.emplace_back(stage->index() - 1);
    if (stage->index() + 1 < m_document.state().partition->stageCount)
        sides.emplace_back(stage->index());
    return sides;
}

bool StageActions::isStageKept() const
{
    const std::vector<BoundaryId> sides = sidesOfStage();
    return !sides.empty() &&
           std::ranges::all_of(sides, [this](BoundaryId side) { return m_document.isLocked(side); });
}

void StageActions::toggleStage()
{
    const bool isKept = isStageKept();
    m_document.undoStack().beginMacro(isKept ? tr("No longer keep the stage")
                                             : tr("Keep the stage as it is"));
    for (const BoundaryId side : sidesOfStage())
        if (m_document.isLocked(side) == isKept)
            toggleLock(m_document, side);
    m_document.undoStack().endMacro();
    show();
}

void StageActions::askForDepth()
{
    bool isGiven = false;
    const int depth =
        QInputDialog::getInt(m_views.graph->window(), tr("Modules as blocks"),
                             tr("How many levels below the model itself: each module there is in one stage"),
                             2, 1, 99, 1, &isGiven);
    if (!isGiven)
        return;
    const auto blocks = nodesAtDepth(m_document.model()->graph, depth);
    blocks.has_value() ? stagecraft::toggleBlocks(m_document, *blocks) : m_document.refuse(blocks.error());
    show();
}

void StageActions::show()
{
    const bool hasNodes = !m_selection->nodes().empty() && m_document.hasModel();
    for (QAction* action : {m_actions.addBoundary, m_actions.sendUp, m_actions.sendDown, m_actions.pin,
                            m_actions.keepTogether, m_actions.keepResults, m_actions.fitSelection})
        action->setEnabled(hasNodes);
    for (QAction* action :
         {m_actions.removeBoundary, m_actions.boundaryUp, m_actions.boundaryDown, m_actions.boundaryBest})
        action->setEnabled(m_document.hasModel() && m_selection->boundary());
    for (QAction* action : {m_actions.toggleBox, m_actions.toggleBelow})
        action->setEnabled(m_document.hasModel() && m_views.graph->hasBoxSelected());
    showHolds();
    showBlocks();
}

void StageActions::showHolds()
{
    const std::vector<NodeId>& nodes = m_selection->nodes();
    const auto boundary = m_selection->boundary();
    const bool hasNodes = !nodes.empty() && m_document.hasModel();
    const bool isPinned = hasNodes && arePinned(m_document.state(), nodes);
    m_actions.lockBoundary->setEnabled(m_document.hasModel() && (boundary || hasNodes));
    m_actions.lockBoundary->setChecked(boundary ? m_document.hasModel() && m_document.isLocked(*boundary)
                                                : isPinned);
    m_actions.pin->setChecked(isPinned);
    m_actions.keepStage->setEnabled(!sidesOfStage().empty());
    m_actions.keepStage->setChecked(isStageKept());
    m_actions.keepResults->setChecked(hasNodes &&
                                      areResultsKept(m_document.model()->graph, m_document.state(), nodes));
    m_actions.letApart->setEnabled(hasNodes && areKeptTogether(m_document.state(), nodes));
}

Blocks StageActions::selectedBlocks(Extent extent) const
{
    if (!m_document.hasModel())
        return {};
    const Graph& graph = m_document.model()->graph;
    const auto module = commonModule(graph, m_selection->nodes());
    if (!module)
        return {};
    return extent == Extent::OneModule ? blockOf(graph, *module)
                                       : blocksOfClass(graph, graph.modules()[*module].className);
}

void StageActions::toggleBlocks(Extent extent)
{
    stagecraft::toggleBlocks(m_document, selectedBlocks(extent));
    showBlocks();
}

// Their texts name what is selected.
void StageActions::showBlocks()
{
    const Blocks one = selectedBlocks(Extent::OneModule);
    const Blocks all = selectedBlocks(Extent::WholeClass);
    m_actions.blockModule->setEnabled(!one.empty());
    m_actions.blockClass->setEnabled(!all.empty());
    m_actions.blockModule->setChecked(areKept(m_document.state(), one));
    m_actions.blockClass->setChecked(areKept(m_document.state(), all));
    QString path = tr("module");
    QString className = tr("module of its class");
    if (!one.empty()) {
        const Graph& graph = m_document.model()->graph;
        const Module& module = graph.modules()[*commonModule(graph, m_selection->nodes())];
        path = shownText(module.path);
        if (!module.className.empty())
            className = shortClass(module.className);
    }
    m_actions.blockModule->setText(tr("Treat %1 as one &block").arg(menuText(path)));
    m_actions.blockClass->setText(tr("Treat e&very %1 as a block").arg(menuText(className)));
}

void StageActions::fillMenuOfOps(QMenu* menu) const
{
    fillOpsMenu(menu, m_actions);
    menu->addSeparator();
    for (QAction* action : m_recompute.actions())
        if (action->isEnabled())
            menu->addAction(action);
    if (m_recompute.ofStage()->menuAction()->isEnabled())
        menu->addMenu(m_recompute.ofStage());
    if (m_ownMenu && m_ownMenu->menuAction()->isVisible())
        menu->addMenu(m_ownMenu);
}

void StageActions::showGraphMenu(GraphView::MenuSubject subject, const QPoint& position)
{
    show();
    QMenu menu(m_views.graph->window());
    switch (subject) {
    case GraphView::MenuSubject::Boundary:
        fillBoundaryMenu(&menu, m_actions);
        break;
    case GraphView::MenuSubject::Ops:
        fillMenuOfOps(&menu);
        break;
    case GraphView::MenuSubject::View:
        fillGraphMenu(&menu, m_actions);
        break;
    }
    menu.exec(position);
}

// The same as in the graph, and what can be done with the charts themselves.
void StageActions::showChartsMenu(const QPoint& position)
{
    show();
    QMenu menu(m_views.charts->window());
    if (m_selection->boundary())
        fillBoundaryMenu(&menu, m_actions);
    else if (!m_selection->nodes().empty() && m_document.hasModel())
        fillMenuOfOps(&menu);
    menu.addSeparator();
    menu.addActions(m_views.charts->actions());
    menu.exec(position);
}

} // namespace stagecraft
