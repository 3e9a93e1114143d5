#include "views/model/module_tree_view.h"

#include "core/base/sort_unique.h"
#include "views/base/cell_delegate.h"
#include "views/base/every_word.h"
#include "views/base/icons.h"
#include "views/base/widgets.h"
#include "views/model/module_model.h"
#include "views/tables/row_ranges.h"
#include "views/tables/table_roles.h"
#include "views/tables/table_tools.h"

#include <QAccessible>
#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Rows are all as high: what changes in one that can be seen is painted anew and told to who cannot see it,
// and nothing is measured, as Qt would for each of the thousands of families that a drag changes.
class EvenRows : public QTreeView
{
protected:
    void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>&) override
    {
        if (first.parent().isValid() && !isExpanded(first.parent()))
            return;
        viewport()->update();
        QAccessibleTableModelChangeEvent change(this, QAccessibleTableModelChangeEvent::DataChanged);
        change.setFirstRow(first.row());
        change.setLastRow(last.row());
        change.setFirstColumn(first.column());
        change.setLastColumn(last.column());
        QAccessible::updateAccessibility(&change);
    }
};

const QList<int> lastFigures{int(ModuleColumn::Parameters), int(ModuleColumn::Ops)};

// Of those that are always shown, unless a person hides them.
int widthOfFigures(const QTreeView& view)
{
    int width = 0;
    for (const auto column : {ModuleColumn::Stages, ModuleColumn::Time, ModuleColumn::Activations})
        width += view.columnWidth(int(column)); // 0 where it is hidden
    return width;
}

// How wide others are stays.
void sizeColumnsThatCome(QTreeView* view)
{
    QObject::connect(view->model(), &QAbstractItemModel::columnsInserted, view,
                     [view](const QModelIndex&, int first, int last) {
                         QHeaderView* header = view->header();
                         for (int column = first; column <= last; ++column)
                             header->resizeSection(column, header->sectionSizeHint(column) + em(view, 1.4));
                     });
}

} // namespace

QSortFilterProxyModel* makeModuleFilter(ModuleModel* model)
{
    auto* filter = new QSortFilterProxyModel(model);
    filter->setSourceModel(model);
    filter->setFilterRole(searchRole);
    filter->setSortRole(valueRole);
    filter->setRecursiveFilteringEnabled(true);
    filter->setAutoAcceptChildRows(true);
    return filter;
}

ModuleTreeView::ModuleTreeView(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_model(new ModuleModel(this)),
      m_filter(makeModuleFilter(m_model)),
      m_field(new QLineEdit),
      m_view(new EvenRows),
      m_empty(new QLabel(tr("Open a model to see its modules.")))
{
    setAccessibleName(tr("Model"));
    setAccessibleDescription(tr("Modules and operators; sends them to other stages with the keyboard"));
    m_field->setPlaceholderText(tr("Filter by name, class or operator"));
    m_field->setAccessibleName(tr("Filter modules"));
    m_field->setClearButtonEnabled(true);
    for (QAction* clear : m_field->findChildren<QAction*>()) // Qt's own button has no name
        clear->setText(tr("Clear the filter"));
    m_field->addAction(themedIcon("find"), QLineEdit::LeadingPosition)->setText(tr("Filter modules"));
    m_view->setModel(m_filter);
    m_view->setItemDelegate(new CellDelegate(m_view));
    m_view->setAccessibleName(tr("Modules"));
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setUniformRowHeights(true);
    m_view->setMouseTracking(true);
    m_view->setIndentation(em(this, 0.9));
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setHighlightSections(false);
    m_view->setObjectName("modules");
    m_tools = new TableTools(m_view, tr("Modules"), TableTools::Sorting::Wanted);
    m_tools->hideAtFirst(lastFigures);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);

    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(em(this, 0.4), em(this, 0.4), em(this, 0.4), em(this, 0.4));
    bar->addWidget(m_field);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_view, 1);
    connect(m_field, &QLineEdit::textChanged, this, &ModuleTreeView::setFilter);
    sizeColumnsThatCome(m_view);
    connect(m_view, &QTreeView::customContextMenuRequested, this, &ModuleTreeView::showMenu);
    connect(m_view, &QTreeView::entered, this, [this](const QModelIndex& index) {
        m_selection->setHovered(m_model->nodeOf(m_filter->mapToSource(index)));
    });
    connect(m_view, &QTreeView::doubleClicked, this, [this] { m_selection->reveal(selectedNodes()); });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ModuleTreeView::readSelection);
    connect(m_selection, &Selection::nodesChanged, this, &ModuleTreeView::showSelection);
    connect(m_selection, &Selection::matchesChanged, this,
            [this] { m_model->setMatches(m_selection->matches()); });
    connect(m_selection, &Selection::revealRequested, this, &ModuleTreeView::reveal);
    onKeyPress(m_view,
               [this](int key, Qt::KeyboardModifiers modifiers) { return handleKey(key, modifiers); });
    onThemeChange(this, [this] { m_view->viewport()->update(); });
    filterEvents(m_view->viewport(), [this](const QEvent* event) {
        if (event->type() == QEvent::Leave)
            m_selection->setHovered({});
        else if (event->type() == QEvent::Resize)
            fitColumns();
        return false;
    });
    connect(m_tools, &TableTools::columnsReset, this, &ModuleTreeView::fitColumns);
    setPlan({});
}

void ModuleTreeView::setPlan(const PlanView& plan)
{
    const bool isOther = std::exchange(m_graph, plan.graph) != plan.graph;
    m_model->setPlan(plan);
    m_empty->setVisible(!plan.graph);
    m_view->setVisible(plan.graph != nullptr);
    m_field->setVisible(plan.graph != nullptr);
    if (!plan.graph)
        m_field->clear(); // it was about the model that went
    if (isOther)
        showStart();
}

void ModuleTreeView::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    m_model->setCompared(std::move(other));
}

void ModuleTreeView::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    m_model->setOverlay(std::move(overlay));
}

// The root open, and what is alone in it down to where there are several; columns as wide as figures are.
void ModuleTreeView::showStart()
{
    QModelIndex only = m_filter->index(0, 0);
    for (; only.isValid() && m_filter->rowCount(only) == 1; only = m_filter->index(0, 0, only))
        m_view->expand(only);
    m_view->expand(only);
    const QFontMetrics metrics(m_view->font());
    const int figure = metrics.horizontalAdvance("8.88 MiB") + em(this, 1.2);
    QHeaderView* header = m_view->header();
    header->resizeSection(int(ModuleColumn::Stages), em(this, 5.6));
    for (const auto column : {ModuleColumn::Time, ModuleColumn::Activations, ModuleColumn::Parameters})
        header->resizeSection(int(column), figure);
    header->resizeSection(int(ModuleColumn::Parameters),
                          metrics.horizontalAdvance("Parameters") + em(this, 1.4));
    header->resizeSection(int(ModuleColumn::Ops), metrics.horizontalAdvance("88888") + em(this, 1));
    m_nameWidth = header->sectionSize(int(ModuleColumn::Name));
    fitColumns();
}

// The last figures come where there is room for them.
void ModuleTreeView::fitColumns()
{
    if (!m_view->isVisible())
        return;
    fitNames();
    const int used = m_view->columnWidth(int(ModuleColumn::Name)) + widthOfFigures(*m_view);
    m_tools->showByItself(lastFigures, m_view->viewport()->width() - used);
}

// Names give way to the first figures, which a narrow panel would cut, as long as nobody has chosen how wide
// they are.
void ModuleTreeView::fitNames()
{
    QHeaderView* header = m_view->header();
    if (header->sectionSize(int(ModuleColumn::Name)) != m_nameWidth)
        return;
    const int figures = widthOfFigures(*m_view);
    const int most = QFontMetrics(m_view->font()).horizontalAdvance("layers.88 DecoderLayer mmmmm");
    m_nameWidth = std::clamp(m_view->viewport()->width() - figures, em(this, 9), most);
    header->resizeSection(int(ModuleColumn::Name), m_nameWidth);
}

void ModuleTreeView::setFilter(const QString& text)
{
    m_filter->setFilterRegularExpression(everyWordOf(text));
    if (!text.trimmed().isEmpty()) {
        for (int row = 0; row < m_filter->rowCount(); ++row)
            expandToMatches(m_filter->index(row, 0));
    }
    showSelection();
}

// Opens what has matches inside but is none itself.
void ModuleTreeView::expandToMatches(const QModelIndex& index)
{
    if (m_filter->filterRegularExpression().match(index.data(searchRole).toString()).hasMatch())
        return;
    m_view->expand(index);
    for (int row = 0; row < m_filter->rowCount(index); ++row)
        expandToMatches(m_filter->index(row, 0, index));
}

std::vector<NodeId> ModuleTreeView::selectedNodes() const
{
    std::vector<NodeId> nodes;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        const auto& more = m_model->nodesOf(m_filter->mapToSource(index));
        nodes.insert(nodes.end(), more.begin(), more.end());
    }
    sortUnique(nodes);
    return nodes;
}

void ModuleTreeView::readSelection()
{
    if (m_settingSelection)
        return;
    const QScopedValueRollback setting(m_settingSelection, true);
    m_selection->setNodes(selectedNodes());
}

void ModuleTreeView::showSelection()
{
    if (m_settingSelection)
        return;
    m_settingSelection = true;
    std::vector<QModelIndex> rows;
    const auto add = [&](const QModelIndex& source) {
        if (const QModelIndex index = m_filter->mapFromSource(source); index.isValid())
            rows.push_back(index);
    };
    const auto& nodes = m_selection->nodes();
    if (const QModelIndex whole = m_model->indexOf(nodes); whole.isValid())
        add(whole);
    else
        for (const NodeId node : nodes)
            add(m_model->indexOf(node));
    m_view->selectionModel()->select(rowRanges(rows),
                                     QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_settingSelection = false;
}

void ModuleTreeView::reveal(const std::vector<NodeId>& nodes)
{
    if (nodes.empty() || m_model->rowCount() == 0)
        return;
    QModelIndex source = m_model->indexOf(nodes);
    if (!source.isValid())
        source = m_model->indexOf(nodes.front());
    m_view->scrollTo(m_filter->mapFromSource(source));
}

bool ModuleTreeView::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const std::vector<NodeId> nodes = selectedNodes();
    if (nodes.empty())
        return false;
    if (modifiers == (Qt::ControlModifier | Qt::ShiftModifier) &&
        (key == Qt::Key_Up || key == Qt::Key_Down)) {
        emit sendRequested(nodes, key == Qt::Key_Up ? StageDirection::Previous : StageDirection::Next);
        return true;
    }
    if (key == Qt::Key_S && !(modifiers & ~Qt::ShiftModifier)) {
        emit splitRequested(nodes, modifiers & Qt::ShiftModifier ? SplitSide::After : SplitSide::Before);
        return true;
    }
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !(modifiers & ~Qt::KeypadModifier)) {
        m_selection->reveal(nodes);
        return true;
    }
    return false;
}

void ModuleTreeView::showMenu(const QPoint& position)
{
    if (selectedNodes().empty())
        return;
    QMenu menu(this);
    const auto add = [&](const char* icon, const QString& text, int key, Qt::KeyboardModifiers modifiers) {
        QAction* action = menu.addAction(themedIcon(icon), text, [=, this] { handleKey(key, modifiers); });
        action->setShortcut(QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key))));
    };
    add("find", tr("Show in the graph"), Qt::Key_Return, {});
    menu.addSeparator();
    add("split", tr("Split before it"), Qt::Key_S, {});
    add("split", tr("Split after it"), Qt::Key_S, Qt::ShiftModifier);
    menu.addSeparator();
    add("arrow-up", tr("Send to the previous stage"), Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    add("arrow-down", tr("Send to the next stage"), Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
    menu.addSeparator();
    for (QAction* action : m_menuActions)
        if (action->isEnabled())
            menu.addAction(action);
    menu.addSeparator();
    menu.addActions(m_tools->actions());
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

} // namespace stagecraft
