#include "views/plan/stages_table.h"

#include "views/base/boundary_keys.h"
#include "views/base/cell_delegate.h"
#include "views/base/format.h"
#include "views/base/icons.h"
#include "views/base/widgets.h"
#include "views/plan/difference_text.h"
#include "views/plan/stages_model.h"
#include "views/tables/table_tools.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

// Instead of rows.
QString emptyText(const PlanView& plan)
{
    return plan.isSeeking
               ? StagesTable::tr("The best split into %n stage(s) is being looked for.", nullptr,
                                 static_cast<int>(plan.sought))
               : StagesTable::tr("What each stage costs appears here once the model is profiled and split.");
}

} // namespace

StagesTable::StagesTable(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_model(new StagesModel(this)),
      m_order(new QSortFilterProxyModel(this)),
      m_view(new QTreeView),
      m_empty(new QLabel),
      m_headline(new QLabel),
      m_figures(new QLabel),
      m_sums(new QLabel)
{
    setAccessibleName(tr("Stages"));
    setAccessibleDescription(tr("Costs of each stage; moves, adds and removes boundaries with the keyboard"));
    m_order->setSourceModel(m_model);
    m_order->setSortRole(valueRole);
    m_order->setDynamicSortFilter(false);
    m_view->setModel(m_order);
    m_view->setObjectName("stages");
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setItemDelegate(new CellDelegate(m_view));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setAccessibleName(tr("Stages"));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setHighlightSections(false);
    m_empty->setAlignment(Qt::AlignCenter);
    for (QLabel* label : {m_empty, m_headline, m_figures, m_sums})
        label->setWordWrap(true);
    m_sums->setTextFormat(Qt::PlainText);
    m_sums->setAccessibleName(tr("Sums of what is selected"));
    m_sums->hide();
    m_tools = new TableTools(m_view, tr("Stages"), TableTools::Sorting::Wanted);
    m_tools->setWidths(TableTools::Widths::Fitted);
    m_tools->hideAtFirst({int(StageColumn::Received), int(StageColumn::Forward), int(StageColumn::Backward),
                          int(StageColumn::Again), int(StageColumn::Kept), int(StageColumn::Freed),
                          int(StageColumn::Buffers), int(StageColumn::Parameters), int(StageColumn::InFlight),
                          int(StageColumn::Ops)});

    auto* totals = new QVBoxLayout;
    totals->setContentsMargins(em(this, 0.6), em(this, 0.45), em(this, 0.6), em(this, 0.5));
    totals->setSpacing(em(this, 0.1));
    totals->addWidget(m_sums);
    totals->addWidget(m_headline);
    totals->addWidget(m_figures);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_tools->filterLine());
    layout->addLayout(totals);

    connect(m_view, &QTreeView::customContextMenuRequested, this, &StagesTable::showMenu);
    connect(m_view, &QTreeView::doubleClicked, this, [this] { emit stageActivated(*currentStage()); });
    connect(m_tools, &TableTools::sumsChanged, this, [this](const QString& sums) {
        m_sums->setText(sums);
        m_sums->setVisible(!sums.isEmpty());
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &StagesTable::readCurrentRow);
    connect(m_view->header(), &QHeaderView::sectionResized, this, &StagesTable::takeWidths);
    connect(m_selection, &Selection::stageChanged, this, &StagesTable::showSelection);
    onKeyPress(m_view,
               [this](int key, Qt::KeyboardModifiers modifiers) { return handleKey(key, modifiers); });
    onThemeChange(this, [this] { showTotals(); });
    setPlan({});
}

void StagesTable::setPlan(const PlanView& plan)
{
    m_plan = plan;
    if (plan.isSeeking) // what stands in is no plan that anybody asked for
        m_plan.cost = nullptr;
    m_model->setSavedWithout(savedWithout(m_plan));
    m_model->setPlans(m_plan.cost, m_preview);
    m_order->sort(m_order->sortColumn(), m_order->sortOrder());
    m_empty->setText(emptyText(plan));
    m_empty->setVisible(!m_plan.cost);
    m_view->setVisible(m_plan.cost != nullptr);
    showTotals();
    showSelection();
    showRunAgain();
    fitColumns();
}

void StagesTable::setPreview(const std::optional<PlanView>& plan)
{
    m_preview = plan ? plan->cost : nullptr;
    m_model->setSavedWithout(savedWithout(plan ? *plan : m_plan));
    m_model->setPlans(m_plan.cost, m_preview);
    showTotals();
}

// What recomputation takes and brings, from the first plan on that has some.
void StagesTable::showRunAgain()
{
    const bool runsAgain =
        m_plan.cost && std::ranges::any_of(m_plan.cost->stages, [](const StageCost& stage) {
            return stage.recomputed > Seconds{};
        });
    if (std::exchange(m_showsRunAgain, runsAgain || m_showsRunAgain) == m_showsRunAgain)
        return;
    m_isFitting = true;
    m_tools->showByItself({int(StageColumn::Again), int(StageColumn::Freed)});
    m_isFitting = false;
}

// Wide enough for any figure, so that nothing jumps during a drag; times have room for their difference. Of
// what is idle an arrow says where it goes: what is sent is in sight beside it.
int StagesTable::wantedWidth(StageColumn of) const
{
    const QFontMetrics metrics(m_view->font());
    const int bytes = metrics.horizontalAdvance("8,888 MiB") + em(this, 0.8);
    const int percent = metrics.horizontalAdvance("+88 %");
    const auto widthOf = [&](StageColumn column) {
        switch (column) {
        case StageColumn::Stage:
            return metrics.horizontalAdvance(tr("slowest")) + em(this, 3.3) +
                   (m_model->shown()->sharesDevices()
                        ? metrics.horizontalAdvance(tr("device %1").arg(88)) + em(this, 0.4)
                        : 0);
        case StageColumn::Time:
        case StageColumn::Forward:
            return metrics.horizontalAdvance("88.8 ms") + em(this, 0.8) + percent;
        case StageColumn::Gap:
            return metrics.horizontalAdvance("88 % +") + em(this, 1.0);
        case StageColumn::InFlight:
        case StageColumn::Ops:
            return metrics.horizontalAdvance("88,888") + em(this, 0.8);
        default:
            return bytes;
        }
    };
    return std::max(titleWidth(of) + em(this, 0.8), widthOf(of));
}

int StagesTable::titleWidth(StageColumn of) const
{
    return m_view->header()->sectionSizeHint(static_cast<int>(of));
}

// What the figures that are there take.
int StagesTable::leastWidth(StageColumn of) const
{
    const int section = static_cast<int>(of);
    int width = titleWidth(of);
    for (int row = 0; row < m_order->rowCount(); ++row)
        width = std::max(width, m_view->sizeHintForIndex(m_order->index(row, section)).width());
    return std::min(width, wantedWidth(of));
}

// In a narrow panel columns give up the room that they have to spare, all the same share of it.
void StagesTable::fitColumns()
{
    if (!m_plan.cost || m_tools->widths() == TableTools::Widths::Chosen)
        return;
    std::array<int, stageColumnCount> wanted{}, least{};
    int sumWanted = 0, sumLeast = 0;
    for (int section = 0; section < stageColumnCount; ++section) {
        const auto column = static_cast<StageColumn>(section);
        wanted[section] = wantedWidth(column);
        least[section] = leastWidth(column);
        if (m_view->isColumnHidden(section))
            continue;
        sumWanted += wanted[section];
        sumLeast += least[section];
    }
    const int room = m_view->maximumViewportSize().width();
    const double spare = sumWanted <= room || sumWanted == sumLeast
                             ? 1.0
                             : std::clamp(double(room - sumLeast) / (sumWanted - sumLeast), 0.0, 1.0);
    m_isFitting = true;
    for (int section = 0; section < stageColumnCount; ++section)
        m_view->header()->resizeSection(
            section, least[section] + static_cast<int>(spare * (wanted[section] - least[section])));
    m_isFitting = false;
}

// Those that a person chooses.
void StagesTable::takeWidths()
{
    if (!m_isFitting && isVisible())
        m_tools->setWidths(TableTools::Widths::Chosen);
}

void StagesTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate(); // the table has its size
    fitColumns();
}

void StagesTable::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    m_compared = std::move(other);
    m_model->setCompared(m_compared ? m_compared->cost : nullptr);
    showTotals();
}

QString StagesTable::changeHtml(PlanFigure figure) const
{
    const PlanCost* base = m_model->base();
    if (!base)
        return {};
    const FigureDifference difference =
        figureDifferences(*base, *m_model->shown())[static_cast<std::size_t>(figure)];
    const QString text = differenceText(difference);
    const Theme theme = applicationTheme();
    const QColor color = difference.verdict == Verdict::Better ? theme.success : theme.danger;
    return text.isEmpty() ? QString() : QStringLiteral(" <b style='color:%1'>%2</b>").arg(color.name(), text);
}

QString StagesTable::figuresHtml(const PlanCost& cost) const
{
    QString figures = cost.sharesDevices()
                          ? stagesText(cost.stages.size(), cost.devices.size()) + QStringLiteral(" · ")
                          : QString();
    figures += tr("Step %1 · bubble %2 · %3 sent for each microbatch")
                   .arg(toText(cost.iteration) + changeHtml(PlanFigure::Step),
                        percentText(cost.bubble) + changeHtml(PlanFigure::Bubble),
                        toText(cost.bytesSent) + changeHtml(PlanFigure::Sent));
    if (m_plan.profile)
        figures += QStringLiteral(" · ") + originNote(*m_plan.profile).toHtmlEscaped();
    if (!cost.fits())
        figures += QStringLiteral(" · <b style='color:%1'>%2</b>")
                       .arg(applicationTheme().danger.name(), tr("does not fit into memory"));
    if (m_compared && !m_preview) {
        const QString quality = m_compared->cost
                                    ? qualityText(*m_compared->cost, m_compared->bound, m_compared->stepBound)
                                    : QString();
        figures += QStringLiteral("<br>") + tr("Differences are to B").toHtmlEscaped() +
                   (quality.isEmpty() ? QString() : QStringLiteral(": ") + quality.toHtmlEscaped());
    }
    return figures;
}

void StagesTable::showTotals()
{
    const PlanCost* cost = m_model->shown();
    m_headline->setVisible(cost != nullptr);
    m_figures->setVisible(cost != nullptr);
    if (!cost)
        return;
    const auto muted = [&](const QString& html) {
        return QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(applicationTheme().mutedText.name(), html);
    };
    QString headline = m_plan.sought > 0 ? tr("Not split yet: the figures are of the whole model")
                                         : tr("<b>%1</b> is the slowest: <b>%2</b>")
                                                   .arg(slowestName(*cost), toText(cost->bottleneckTime)) +
                                               changeHtml(PlanFigure::Slowest);
    const QString quality = qualityText(*cost, m_plan.bound, m_plan.stepBound);
    if (!quality.isEmpty() &&
        cost->fits()) // else the bound is of plans that do, and the figures say what is wrong
        headline += muted(QStringLiteral(" · %1").arg(quality.toHtmlEscaped()));
    m_headline->setText(headline);
    m_headline->setToolTip(qualityHelp(*cost, m_plan.bound, m_plan.stepBound));
    m_figures->setText(muted(figuresHtml(*cost)));
    m_figures->setToolTip(
        tr("Step: one training step of all microbatches, by simulating the schedule.\n"
           "Bubble: the share of all devices' time in which they compute nothing, the mean of "
           "their idle shares.\n"
           "Sent: activations and gradients over all boundaries, for one microbatch."));
}

void StagesTable::showSelection()
{
    if (!m_selection->stage() || m_selection->stage() == currentStage())
        return;
    const QModelIndex index = rowOf(m_selection->stage()->index());
    if (index.isValid())
        m_view->setCurrentIndex(index);
}

void StagesTable::readCurrentRow()
{
    if (!currentStage())
        return;
    m_selection->setStage(currentStage());
    m_selection->setBoundary(currentBoundary());
}

std::optional<StageId> StagesTable::currentStage() const
{
    const QModelIndex current = m_view->currentIndex();
    if (!current.isValid())
        return {};
    return StageId(static_cast<std::size_t>(m_order->mapToSource(current).row()));
}

// Invalid where there is none.
QModelIndex StagesTable::rowOf(std::size_t stage) const
{
    return m_order->mapFromSource(m_model->index(static_cast<int>(stage), 0));
}

std::optional<BoundaryId> StagesTable::currentBoundary() const
{
    const auto stage = currentStage();
    const int rows = m_model->rowCount();
    if (!stage || rows < 2)
        return {};
    return BoundaryId(std::min<std::size_t>(stage->index(), static_cast<std::size_t>(rows) - 2));
}

bool StagesTable::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const auto stage = currentStage();
    const auto boundary = currentBoundary();
    const bool vertical = key == Qt::Key_Up || key == Qt::Key_Down;
    if (vertical && (modifiers & Qt::AltModifier) && boundary) {
        emit boundaryMoveRequested(*boundary,
                                   key == Qt::Key_Up ? StageDirection::Previous : StageDirection::Next,
                                   boundaryStepOf(modifiers));
        return true;
    }
    if (modifiers & ~Qt::KeypadModifier || !stage)
        return false;
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit stageActivated(*stage);
        return true;
    case Qt::Key_S:
        emit stageSplitRequested(*stage);
        return true;
    case Qt::Key_Delete:
        if (boundary)
            emit boundaryRemoveRequested(*boundary);
        return true;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight: {
        const QModelIndex next = rowOf(key == Qt::Key_BracketLeft ? stage->index() - 1 : stage->index() + 1);
        if (next.isValid())
            m_view->setCurrentIndex(next);
        return true;
    }
    default:
        return false;
    }
}

void StagesTable::showMenu(const QPoint& position)
{
    const auto stage = currentStage();
    if (!stage)
        return;
    QMenu menu(this);
    const auto add = [&](const char* icon, const QString& text, int key, Qt::KeyboardModifiers modifiers,
                         bool enabled) {
        QAction* action = menu.addAction(themedIcon(icon), text, [=, this] { handleKey(key, modifiers); });
        action->setShortcut(QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key))));
        action->setEnabled(enabled);
    };
    const bool hasBoundary = currentBoundary().has_value();
    add("code", tr("Show its code"), Qt::Key_Return, {}, true);
    add("split", tr("Split in two"), Qt::Key_S, {}, true);
    menu.addSeparator();
    add("boundary-up", tr("Boundary up by an op"), Qt::Key_Up, Qt::AltModifier, hasBoundary);
    add("boundary-down", tr("Boundary down by an op"), Qt::Key_Down, Qt::AltModifier, hasBoundary);
    const auto byModule = Qt::AltModifier | Qt::ShiftModifier;
    add("boundary-up", tr("Boundary up by a module"), Qt::Key_Up, byModule, hasBoundary);
    add("boundary-down", tr("Boundary down by a module"), Qt::Key_Down, byModule, hasBoundary);
    menu.addSeparator();
    add("boundary-remove", tr("Remove the boundary"), Qt::Key_Delete, {}, hasBoundary);
    if (m_stageMenu && m_stageMenu->menuAction()->isEnabled())
        menu.addMenu(m_stageMenu);
    menu.addSeparator();
    menu.addActions(m_tools->actions());
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

} // namespace stagecraft
