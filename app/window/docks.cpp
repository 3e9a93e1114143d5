#include "app/window/docks.h"

#include "views/base/theme.h"
#include "views/code/code_view.h"

#include <QMainWindow>
#include <QMenu>
#include <QScrollArea>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Panels that are read from top to bottom as one.
QWidget* column(QWidget* parent, std::initializer_list<QWidget*> panels)
{
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (QWidget* panel : panels)
        layout->addWidget(panel);
    layout->addStretch();
    area->setWidget(content);
    return area;
}

// A quarter of a narrow window is too little for a line of code beside its costs.
Docks::Arrangement arrangementFor(const QMainWindow* window)
{
    return window->width() < em(window, 105) ? Docks::Arrangement::Narrow : Docks::Arrangement::Wide;
}

} // namespace

Docks::Docks(QMainWindow* window, const WindowViews& views) : QObject(window), m_window(window)
{
    m_model = add(tr("Model"), "model", views.modules, Qt::LeftDockWidgetArea);
    m_stages = add(tr("Stages"), "stages", views.stages, Qt::LeftDockWidgetArea);
    m_plan = add(tr("Plan"), "plan",
                 column(window, {views.options, views.places, views.trade, views.constraints, views.advice}),
                 Qt::LeftDockWidgetArea);
    m_memory = add(tr("Memory"), "memory", views.memory, Qt::LeftDockWidgetArea);
    m_code = add(tr("Code"), "code", views.code, Qt::RightDockWidgetArea);
    connect(m_code, &QDockWidget::visibilityChanged, views.code, &CodeView::setInSight);
    m_details = add(tr("Details"), "details", views.details, Qt::RightDockWidgetArea);
    m_charts = add(tr("Charts"), "charts", views.charts, Qt::BottomDockWidgetArea);
    m_schedule = add(tr("Schedule"), "schedule", views.schedule, Qt::BottomDockWidgetArea);
    m_map = add(tr("Map"), "map", views.map, Qt::BottomDockWidgetArea);
    m_stepMemory = add(tr("Step memory"), "stepMemory", views.stepMemory, Qt::BottomDockWidgetArea);
    m_curve = add(tr("Curve"), "curve", views.curve, Qt::BottomDockWidgetArea);
    m_tradeOffs = add(tr("Trade-offs"), "tradeOffs", views.tradeOffs, Qt::BottomDockWidgetArea);
    m_operators = add(tr("Operators"), "operators", views.operators, Qt::BottomDockWidgetArea);
    m_history = add(tr("History"), "history", views.history, Qt::BottomDockWidgetArea);
    window->setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks |
                           QMainWindow::AnimatedDocks);
    window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window->setDocumentMode(true);
    resetLayout();
}

QDockWidget* Docks::add(const QString& title, const char* name, QWidget* view, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, m_window);
    dock->setObjectName(name);
    dock->setWidget(view);
    if (view->accessibleName().isEmpty())
        view->setAccessibleName(title);
    dock->toggleViewAction()->setToolTip(tr("Show or hide the panel “%1”").arg(title));
    for (const auto changed : {&QDockWidget::visibilityChanged, &QDockWidget::topLevelChanged})
        connect(dock, changed, this, &Docks::showTitles, Qt::QueuedConnection);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::showTitles, Qt::QueuedConnection);
    m_window->addDockWidget(area, dock);
    m_all.append(dock);
    return dock;
}

void Docks::addOptional(const QString& title, const char* name, QWidget* view)
{
    QDockWidget* dock = add(title, name, view, Qt::LeftDockWidgetArea);
    m_window->tabifyDockWidget(m_plan, dock);
    m_optional.append(dock);
    m_leftOut.append(dock);
    leaveOut(dock);
}

void Docks::setThere(QWidget* view, bool isThere)
{
    QDockWidget* dock = dockOf(view);
    const bool wasThere = m_leftOut.removeAll(dock) == 0;
    if (!isThere) {
        m_leftOut.append(dock);
        return leaveOut(dock);
    }
    dock->toggleViewAction()->setVisible(true);
    if (wasThere) // the person may have closed it
        return;
    if (m_isEmpty || m_isHidden)
        m_hiddenByUs.append(dock);
    else
        dock->show();
}

void Docks::leaveOut(QDockWidget* dock)
{
    m_hiddenByUs.removeAll(dock);
    if (m_front == dock)
        m_front = m_stages;
    dock->toggleViewAction()->setVisible(false);
    dock->hide();
}

QDockWidget* Docks::dockOf(const QWidget* view) const
{
    const auto found = std::ranges::find_if(m_all, [&](const QDockWidget* dock) {
        return dock->widget() == view || dock->widget()->isAncestorOf(view);
    });
    return found == m_all.end() ? nullptr : *found;
}

void Docks::fillMenu(QMenu* menu) const
{
    for (QDockWidget* dock : m_all)
        menu->addAction(dock->toggleViewAction());
}

void Docks::resetLayout()
{
    for (QDockWidget* dock : m_all) {
        dock->setFloating(false);
        m_window->removeDockWidget(dock);
    }
    const Arrangement arrangement = arrangementFor(m_window);
    addTabs(Qt::LeftDockWidgetArea, arrangement == Arrangement::Wide
                                        ? QList{m_model, m_stages, m_plan, m_memory}
                                        : QList{m_model, m_stages, m_plan, m_memory, m_details});
    addTabs(Qt::BottomDockWidgetArea, arrangement == Arrangement::Wide
                                          ? QList{m_charts, m_schedule, m_stepMemory, m_map, m_operators,
                                                  m_curve, m_tradeOffs, m_history}
                                          : QList{m_charts, m_schedule, m_stepMemory, m_map, m_operators,
                                                  m_curve, m_tradeOffs, m_history, m_code});
    if (arrangement == Arrangement::Wide) {
        m_window->addDockWidget(Qt::RightDockWidgetArea, m_code);
        m_window->addDockWidget(Qt::RightDockWidgetArea, m_details);
        m_window->splitDockWidget(m_code, m_details, Qt::Vertical);
    }
    for (QDockWidget* dock : m_optional) {
        m_window->addDockWidget(Qt::LeftDockWidgetArea, dock);
        m_window->tabifyDockWidget(m_plan, dock);
    }
    for (QDockWidget* dock : m_all)
        dock->setVisible(!m_leftOut.contains(dock));
    m_front = m_stages;
    m_front->raise();
    m_charts->raise();
    m_hiddenByUs.clear();

    giveSizes(arrangement);
    if (m_isEmpty || m_isHidden) { // still
        m_hiddenByUs = m_all;
        for (QDockWidget* dock : m_leftOut)
            m_hiddenByUs.removeAll(dock);
        for (QDockWidget* dock : m_all)
            dock->hide();
    }
}

// The first is in front.
void Docks::addTabs(Qt::DockWidgetArea area, const QList<QDockWidget*>& docks)
{
    for (QDockWidget* dock : docks)
        m_window->addDockWidget(area, dock);
    for (int i = 1; i < docks.size(); ++i)
        m_window->tabifyDockWidget(docks[i - 1], docks[i]);
}

// Half of the width is the graph's, whatever the screen; more of it where there is no column on its right.
void Docks::giveSizes(Arrangement arrangement)
{
    const int width = m_window->width();
    const int height = m_window->height();
    if (arrangement == Arrangement::Narrow) {
        m_window->resizeDocks({m_model}, {width * 32 / 100}, Qt::Horizontal);
        m_window->resizeDocks({m_charts}, {height * 36 / 100}, Qt::Vertical);
        return;
    }
    m_window->resizeDocks({m_model, m_code}, {width * 25 / 100, width * 25 / 100}, Qt::Horizontal);
    m_window->resizeDocks({m_code, m_details}, {height * 42 / 100, height * 24 / 100}, Qt::Vertical);
    m_window->resizeDocks({m_charts}, {height * 28 / 100}, Qt::Vertical);
}

void Docks::setEmpty(bool empty)
{
    if (std::exchange(m_isEmpty, empty) != empty)
        showReasons();
}

void Docks::setHidden(bool hidden)
{
    if (std::exchange(m_isHidden, hidden) != hidden)
        showReasons();
}

void Docks::showReasons()
{
    if (!m_isEmpty && !m_isHidden) {
        for (QDockWidget* dock : std::exchange(m_hiddenByUs, {}))
            dock->show();
        m_front->raise();
        m_charts->raise();
        return;
    }
    if (m_hiddenByUs.isEmpty())
        for (QDockWidget* dock : QList{m_model, m_stages, m_plan, m_memory} + m_optional)
            if (!dock->isHidden() && !dock->visibleRegion().isEmpty())
                m_front = dock;
    for (QDockWidget* dock : m_all) {
        if (!dock->isHidden())
            m_hiddenByUs.append(dock);
        dock->hide();
    }
}

// A tab says what the title would say again.
void Docks::showTitles()
{
    for (QDockWidget* dock : m_all) {
        const bool hasTab = !dock->isFloating() && !m_window->tabifiedDockWidgets(dock).isEmpty();
        if (hasTab == (dock->titleBarWidget() != nullptr))
            continue;
        QWidget* before = dock->titleBarWidget();
        dock->setTitleBarWidget(hasTab ? new QWidget(dock) : nullptr);
        delete before;
    }
    for (QTabBar* tabs : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        tabs->setToolTip(tr("Double click to take the panel out of the window"));
        tabs->setAccessibleName(tr("Panels"));
        tabs->setFocusPolicy(m_isEmpty || m_isHidden ? Qt::NoFocus : Qt::TabFocus); // it stays, without tabs
        connect(tabs, &QTabBar::tabBarDoubleClicked, this, &Docks::floatTab, Qt::UniqueConnection);
    }
}

void Docks::floatTab(int index)
{
    const auto* tabs = qobject_cast<QTabBar*>(sender());
    for (QDockWidget* dock : m_all)
        if (tabs && dock->windowTitle() == tabs->tabText(index))
            dock->setFloating(true);
}

void Docks::show(QWidget* view)
{
    if (QDockWidget* dock = dockOf(view)) {
        dock->show();
        dock->raise();
        view->setFocus();
    }
}

} // namespace stagecraft
