#include "views/model/operators_panel.h"

#include "core/base/sort_unique.h"
#include "views/base/format.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/base/widgets.h"
#include "views/model/operators_model.h"
#include "views/tables/row_ranges.h"
#include "views/tables/table_tools.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

QLabel* makeLine(QWidget* panel, const QString& name)
{
    auto* line = new QLabel;
    line->setAccessibleName(name);
    line->setTextFormat(Qt::PlainText);
    line->setContentsMargins(em(panel, 0.6), em(panel, 0.3), em(panel, 0.6), em(panel, 0.3));
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return line;
}

} // namespace

OperatorsPanel::OperatorsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_model(new OperatorsModel(this)),
      m_empty(new QLabel(tr("Open a model to see its operators."))),
      m_found(makeLine(this, tr("Operators listed"))),
      m_view(new QTreeView),
      m_sums(makeLine(this, tr("Sums of what is selected")))
{
    setAccessibleName(tr("Operators"));
    setAccessibleDescription(tr("All operators with what they cost, or those that are looked for"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new CellDelegate(m_view));
    m_view->setObjectName("operators");
    m_view->setAccessibleName(tr("Operators"));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setMouseTracking(true);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setHighlightSections(false);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_tools = new TableTools(m_view, tr("Operators"), TableTools::Sorting::Wanted);
    fitColumns();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_found);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_sums);

    connect(m_tools, &TableTools::sumsChanged, this, [this](const QString& sums) {
        m_sums->setText(sums);
        m_sums->setVisible(!sums.isEmpty());
    });
    connect(m_view, &QTreeView::customContextMenuRequested, this, &OperatorsPanel::showMenu);
    connect(m_view, &QTreeView::doubleClicked, this, [this] { m_selection->reveal(selectedNodes()); });
    connect(m_view, &QTreeView::entered, this,
            [this](const QModelIndex& index) { m_selection->setHovered(m_model->nodeOf(index)); });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &OperatorsPanel::readSelection);
    connect(m_selection, &Selection::nodesChanged, this, &OperatorsPanel::showSelection);
    connect(m_selection, &Selection::matchesChanged, this, &OperatorsPanel::showMatches);
    onKeyPress(m_view,
               [this](int key, Qt::KeyboardModifiers modifiers) { return handleKey(key, modifiers); });
    onThemeChange(this, [this] { m_view->viewport()->update(); });
    filterEvents(m_view->viewport(), [this](const QEvent* event) {
        if (event->type() == QEvent::Leave)
            m_selection->setHovered({});
        return false;
    });
    m_sums->hide();
    setPlan({});
}

void OperatorsPanel::setPlan(const PlanView& plan)
{
    m_plan = plan;
    m_empty->setVisible(!plan.graph);
    m_view->setVisible(plan.graph != nullptr);
    m_found->setVisible(plan.graph != nullptr);
    if (isVisible() || !plan.graph)
        showMatches();
}

void OperatorsPanel::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    m_model->setCompared(std::move(other));
}

// A table that nobody sees may still be of another graph.
void OperatorsPanel::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    m_overlay = std::move(overlay);
    if (isVisible() || !m_overlay)
        m_model->setOverlay(m_overlay);
}

// Nobody fills a table of thousands of rows that nobody sees.
void OperatorsPanel::showEvent(QShowEvent* event)
{
    showMatches();
    showSelection();
    QWidget::showEvent(event);
}

void OperatorsPanel::showMatches()
{
    if (!isVisible() && m_plan.graph)
        return;
    m_settingSelection = true;
    m_model->setPlan(m_plan);
    m_model->setOverlay(m_overlay);
    m_model->setNodes(m_plan.graph ? m_selection->matches() : std::nullopt);
    m_settingSelection = false;
    if (m_plan.graph) {
        const QString all = opCountText(m_plan.graph->nodeCount());
        m_found->setText(m_selection->matches()
                             ? tr("%1 of %2 are what you look for").arg(m_model->rowCount()).arg(all)
                             : tr("%1; what is typed into Find is listed here alone").arg(all));
    }
    showSelection();
}

void OperatorsPanel::fitColumns()
{
    const QFontMetrics metrics(m_view->font());
    const auto give = [&](OperatorColumn column, const char* widest) {
        m_view->header()->resizeSection(int(column), metrics.horizontalAdvance(widest) + em(this, 1.4));
    };
    give(OperatorColumn::Name, "scaled_dot_product_attention_88");
    give(OperatorColumn::Operator, "scaled_dot_product_a");
    give(OperatorColumn::Module, "model.layers.88.self_attn.q_proj");
    give(OperatorColumn::Stage, "Stage 8");
    for (const auto column : {OperatorColumn::Time, OperatorColumn::Forward, OperatorColumn::Backward,
                              OperatorColumn::Kept, OperatorColumn::Made})
        give(column, "8,888 MiB");
    give(OperatorColumn::Parameters, "Parameters");
    give(OperatorColumn::Work, "88.8 GFLOP");
    give(OperatorColumn::Shape, "bf16[8, 2048, 16384]");
    give(OperatorColumn::Number, "88888");
    m_tools->hideAtFirst({int(OperatorColumn::Forward), int(OperatorColumn::Backward),
                          int(OperatorColumn::Made), int(OperatorColumn::Number)});
}

std::vector<NodeId> OperatorsPanel::selectedNodes() const
{
    std::vector<NodeId> nodes;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        nodes.push_back(m_model->nodeOf(index));
    sortUnique(nodes);
    return nodes;
}

void OperatorsPanel::readSelection()
{
    if (m_settingSelection)
        return;
    const QScopedValueRollback setting(m_settingSelection, true);
    m_selection->setNodes(selectedNodes());
}

void OperatorsPanel::showSelection()
{
    if (m_settingSelection || !isVisible())
        return;
    std::vector<QModelIndex> rows;
    for (const NodeId node : m_selection->nodes())
        if (const QModelIndex index = m_model->indexOf(node); index.isValid())
            rows.push_back(m_model->index(index.row(), 0));
    std::ranges::sort(rows, {}, &QModelIndex::row);
    m_settingSelection = true;
    m_view->selectionModel()->select(rowRanges(rows),
                                     QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.empty()) {
        m_view->selectionModel()->setCurrentIndex(rows.front(), QItemSelectionModel::NoUpdate);
        m_view->scrollTo(rows.front());
    }
    m_settingSelection = false;
}

bool OperatorsPanel::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (!isEnter || modifiers & ~Qt::KeypadModifier || selectedNodes().empty())
        return false;
    m_selection->reveal(selectedNodes());
    return true;
}

void OperatorsPanel::showMenu(const QPoint& position)
{
    QMenu menu(this);
    if (!selectedNodes().empty()) {
        QAction* show = menu.addAction(themedIcon("find"), tr("Show in the graph"),
                                       [this] { m_selection->reveal(selectedNodes()); });
        show->setShortcut(QKeySequence(Qt::Key_Return));
        menu.addSeparator();
        for (QAction* action : m_menuActions)
            if (action->isEnabled())
                menu.addAction(action);
        menu.addSeparator();
    }
    menu.addActions(m_tools->actions());
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

} // namespace stagecraft
