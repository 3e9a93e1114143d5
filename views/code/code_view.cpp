#include "views/code/code_view.h"

#include "views/base/icons.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/code/code_editor.h"
#include "views/code/code_stack.h"
#include "views/code/code_tools.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace stagecraft {

namespace {

QIcon stageIcon(StageId stage, int size)
{
    QPixmap pixmap(size * 2, size * 2);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath path;
    path.addRoundedRect(QRectF(0, 0, size, size), size * 0.25, size * 0.25);
    fillStage(painter, path, applicationTheme(), stage);
    return QIcon(pixmap);
}

} // namespace

CodeView::CodeView(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_tabs(new QTabBar),
      m_besideChoice(new QComboBox),
      m_updating(new QLabel(tr("updating"))),
      m_empty(new QLabel(tr("The code of each stage appears here once the model is split."))),
      m_stack(new CodeStack(selection)),
      m_tools(new CodeTools(m_stack))
{
    setAccessibleName(tr("Code"));
    setAccessibleDescription(tr("Python code of each stage with the cost of every line"));
    m_tabs->setObjectName("stageTabs");
    m_tabs->setAccessibleName(tr("Stages"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_updating->setParent(this); // in no layout: tabs must not jump when it comes and goes
    m_updating->setContentsMargins(em(this, 0.5), 0, em(this, 0.5), 0);
    m_updating->setAutoFillBackground(true);
    m_updating->hide();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_stack, 1);
    layout->insertLayout(0, makeBar()); // after the page, with which Tab into the panel begins
    setFocusProxy(m_stack);

    connect(m_besideChoice, &QComboBox::activated, this, [this] {
        setBeside(static_cast<Beside>(m_besideChoice->currentData().toInt()));
        if (m_beside == Beside::Statistics && !m_plan.statistics)
            emit statisticsRequested();
    });
    connect(m_tools, &CodeTools::showsChosen, this, &CodeView::setShows);
    connect(m_tabs, &QTabBar::currentChanged, this, &CodeView::showPage);
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0) // a click beside the tabs is one, too
            m_selection->setStage(StageId(static_cast<std::size_t>(index)));
    });
    connect(m_selection, &Selection::stageChanged, this, [this] {
        if (m_selection->stage())
            showStage(*m_selection->stage());
    });
    connect(m_selection, &Selection::nodesChanged, this, [this] { showNodes(m_selection->nodes()); });
    connect(m_selection, &Selection::revealRequested, this, &CodeView::showNodes);
    onThemeChange(this, [this] { takeTheme(); });
    setPages({});
}

QLayout* CodeView::makeBar()
{
    m_besideChoice->addItem(tr("cost"), int(Beside::Cost));
    m_besideChoice->addItem(tr("statistics"), int(Beside::Statistics));
    m_besideChoice->setAccessibleName(tr("Beside the lines"));
    m_besideChoice->setToolTip(
        tr("What stands beside the lines. Cost: the op's time and the bytes it makes. Statistics: the "
           "standard deviation of "
           "its values (->) and of their gradient (<-) in a real training step on this machine"));
    auto* more = new QToolButton;
    more->setObjectName("codeMenu");
    more->setText(QStringLiteral("⋯"));
    more->setAccessibleName(tr("Copy, save and more"));
    more->setToolTip(more->accessibleName());
    more->setAutoRaise(true);
    more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    more->setPopupMode(QToolButton::InstantPopup);
    more->setMenu(m_tools->menu());
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(m_tabs, 1);
    bar->addWidget(m_besideChoice);
    bar->addWidget(more);
    return bar;
}

void CodeView::setShows(Shows shows)
{
    m_tools->setShows(shows);
    m_besideChoice->setVisible(shows == Shows::Code && !m_pages.empty());
    m_stack->setShows(shows);
}

void CodeView::setSourceFolder(const QString& folder)
{
    m_stack->setSourceFolder(folder);
}

void CodeView::setShortLines(bool wanted)
{
    m_stack->setShortLines(wanted);
}

void CodeView::takeTheme()
{
    for (int index = 0; index < m_tabs->count(); ++index)
        m_tabs->setTabIcon(index, stageIcon(StageId(static_cast<std::size_t>(index)), em(this, 0.7)));
    m_stack->editor()->applyTheme();
    showPage();
}

void CodeView::setPlan(const PlanView& plan)
{
    const PlanView before = std::exchange(m_plan, plan);
    if (before.graph && before.graph != plan.graph) {
        m_baseline.clear();
        setPages({}); // nothing of one graph may be looked up in another
    }
    const auto stages = [](const PlanView& of) { return of.partition ? of.partition->stageCount : 0; };
    const bool looksAlike = before.graph == plan.graph && before.profile == plan.profile &&
                            before.statistics == plan.statistics && stages(before) == stages(plan);
    if (!looksAlike)
        showPage();
}

void CodeView::setPages(std::vector<StagePage> pages)
{
    const auto shown = static_cast<std::size_t>(std::max(0, m_tabs->currentIndex()));
    const bool sameCode = shown < pages.size() && shown < m_pages.size() &&
                          pages[shown].code == m_pages[shown].code &&
                          pages[shown].program == m_pages[shown].program;
    m_pages = std::move(pages);
    showTabs();
    m_empty->setVisible(m_pages.empty());
    m_stack->setVisible(!m_pages.empty());
    m_tabs->setVisible(!m_pages.empty());
    findChild<QToolButton*>("codeMenu")->setVisible(!m_pages.empty());
    m_besideChoice->setVisible(!m_pages.empty() && m_stack->shows() == Shows::Code);
    if (!sameCode)
        showPage();
}

void CodeView::showTabs()
{
    const QSignalBlocker quiet(m_tabs);
    const int count = static_cast<int>(m_pages.size());
    while (m_tabs->count() > count)
        m_tabs->removeTab(m_tabs->count() - 1);
    for (int index = m_tabs->count(); index < count; ++index) {
        const StageId stage(static_cast<std::size_t>(index));
        m_tabs->addTab(stageIcon(stage, em(this, 0.7)), QString::number(index + 1));
        m_tabs->setAccessibleTabName(index, stageName(stage));
    }
    for (int index = 0; index < count; ++index)
        m_tabs->setTabToolTip(index, tr("%1 of %2, stage_%3.py when exported")
                                         .arg(stageName(StageId(static_cast<std::size_t>(index))))
                                         .arg(count)
                                         .arg(index));
}

void CodeView::setBaseline()
{
    m_baseline.clear();
    for (const StagePage& page : m_pages)
        m_baseline.push_back(page.code);
    if (const auto stage = shownStage())
        m_stack->setBaseline(m_baseline[stage->index()]);
}

void CodeView::setState(State state)
{
    m_updating->setVisible(state == State::Updating && !m_pages.empty());
    m_updating->adjustSize();
    m_updating->move(m_stack->geometry().right() - m_updating->width(), m_stack->y());
    m_updating->raise();
}

void CodeView::setBeside(Beside beside)
{
    m_beside = beside;
    m_besideChoice->setCurrentIndex(m_besideChoice->findData(int(beside)));
    showPage();
}

void CodeView::showStage(StageId stage)
{
    if (stage.index() < m_pages.size())
        m_tabs->setCurrentIndex(static_cast<int>(stage.index()));
}

std::optional<StageId> CodeView::shownStage() const
{
    if (m_pages.empty() || m_tabs->currentIndex() < 0)
        return {};
    return StageId(static_cast<std::size_t>(m_tabs->currentIndex()));
}

void CodeView::showPage()
{
    const auto stage = shownStage();
    const bool hasCode = stage && m_pages[stage->index()].code;
    const bool isOther = std::exchange(m_lastShown, hasCode ? stage : std::nullopt) != stage;
    if (!stage)
        return m_stack->showPage(m_plan, {}, nullptr, m_beside);
    const std::size_t index = stage->index();
    m_tools->setPageName(QStringLiteral("stage_%1").arg(index));
    m_stack->showPage(m_plan, m_pages[index], index < m_baseline.size() ? m_baseline[index] : nullptr,
                      m_beside);
    m_beginsAtForward = m_beginsAtForward || (isOther && hasCode);
    if (m_isInSight && std::exchange(m_beginsAtForward, false))
        m_stack->editor()->revealForward();
}

void CodeView::setInSight(bool inSight)
{
    m_isInSight = inSight;
    if (!m_stack->setInSight(inSight))
        return;
    if (std::exchange(m_beginsAtForward, false))
        m_stack->editor()->revealForward();
    if (!m_selection->nodes().empty())
        m_stack->editor()->reveal(m_selection->nodes());
}

// Shows the stage that all of them are in.
void CodeView::showNodes(const std::vector<NodeId>& nodes)
{
    if (nodes.empty() || !m_plan.partition || nodes.back().index() >= m_plan.partition->stageOf.size())
        return;
    const StageId stage = m_plan.partition->stageOf[nodes.front()];
    if (m_plan.partition->stageOf[nodes.back()] == stage)
        showStage(stage);
    m_stack->editor()->reveal(nodes);
}

} // namespace stagecraft
