#include "views/tables/table_tools.h"

#include "core/base/output_file.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/tables/copy_actions.h"
#include "views/tables/row_filter.h"
#include "views/tables/tree_sorting.h"

#include <QAction>
#include <QDataStream>
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr quint32 keptMark = 0x53544331; // before what is kept; a state of a header alone begins otherwise

// From top to bottom, as they are seen.
void collectOpenRows(const QTreeView& view, const QModelIndex& parent, QModelIndexList& rows)
{
    const QAbstractItemModel& model = *view.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (view.isRowHidden(row, parent))
            continue;
        rows << index;
        if (view.isExpanded(index))
            collectOpenRows(view, index, rows);
    }
}

} // namespace

TableTools::TableTools(QTreeView* view, QString name, Sorting sorting)
    : QObject(view),
      m_view(view),
      m_name(std::move(name)),
      m_copies(makeCopyActions(view, [this] { return part(); })),
      m_save(new QAction(themedIcon("save"), tr("Save table…"), this))
{
    connect(m_save, &QAction::triggered, this, &TableTools::save);
    QHeaderView* header = m_view->header();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this, &TableTools::showColumnMenu);
    if (sorting == Sorting::Wanted) {
        header->setSectionsClickable(true);
        connect(header, &QHeaderView::sectionClicked, this, &TableTools::sortBy);
    }
    connect(m_view->model(), &QAbstractItemModel::columnsAboutToBeInserted, this, [this] {
        if (m_columnsBefore.isEmpty())
            m_columnsBefore = m_view->header()->saveState();
    });
    connect(m_view->model(), &QAbstractItemModel::columnsRemoved, this, [this] {
        m_columnsBefore.clear();
        if (m_sortedBy >= m_view->model()->columnCount())
            sortBy(m_sortedBy = -1);
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        TablePart selected = part();
        selected.rows = m_view->selectionModel()->selectedRows();
        emit sumsChanged(tableSums(*m_view->model(), selected));
    });
}

QList<QAction*> TableTools::actions() const
{
    QList<QAction*> actions = m_copies;
    actions << m_save;
    if (m_filter)
        actions << m_filter->action();
    return actions;
}

QWidget* TableTools::filterLine()
{
    if (!m_filter)
        m_filter = new RowFilter(m_view);
    return m_filter;
}

TablePart TableTools::part() const
{
    TablePart part;
    const QHeaderView* header = m_view->header();
    for (int visual = 0; visual < header->count(); ++visual)
        if (const int column = header->logicalIndex(visual); !header->isSectionHidden(column))
            part.columns << column;
    collectOpenRows(*m_view, {}, part.rows);
    const QItemSelectionModel* selected = m_view->selectionModel();
    if (selected->selectedRows().size() > 1)
        part.rows.removeIf(
            [&](const QModelIndex& row) { return !selected->isRowSelected(row.row(), row.parent()); });
    return part;
}

Result<void> TableTools::writeTo(const QString& path) const
{
    const bool isMarkdown = path.endsWith(".md", Qt::CaseInsensitive);
    const QString text =
        isMarkdown ? tableMarkdown(*m_view->model(), part()) : tableCsv(*m_view->model(), part());
    STAGECRAFT_TRY(writeTextFile(path.toStdString(), text.toStdString()));
    return {};
}

void TableTools::save()
{
    const QString markdown = tr("Markdown (*.md)");
    QString filter;
    QString path =
        QFileDialog::getSaveFileName(m_view, tr("Save the table"), m_name.toLower() + ".csv",
                                     tr("Comma-separated values (*.csv)") + ";;" + markdown, &filter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += filter == markdown ? ".md" : ".csv";
    if (const Result<void> written = writeTo(path); !written.has_value())
        QMessageBox::warning(m_view, tr("Save the table"), toolTipText(shownText(written.error().message)));
}

void TableTools::hideAtFirst(const QList<int>& columns)
{
    m_hiddenAtFirst = columns;
    for (const int column : columns)
        m_view->setColumnHidden(column, true);
}

// Figures are looked at for the largest.
void TableTools::sortBy(int column)
{
    const bool isFigure =
        m_view->model()->headerData(column, Qt::Horizontal, unitRole).toInt() != int(ColumnUnit::None);
    const Qt::SortOrder first = isFigure ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (m_sortedBy != column)
        m_order = first;
    else if (m_order == first)
        m_order = first == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
    else
        column = -1;
    m_sortedBy = column;
    m_view->header()->setSortIndicatorShown(column >= 0);
    m_view->header()->setSortIndicator(column, m_order);
    sortAgain();
}

void TableTools::sortAgain()
{
    if (auto* tree = qobject_cast<QTreeWidget*>(m_view))
        sortRows(tree, m_sortedBy, m_order);
    else
        m_view->model()->sort(m_sortedBy, m_order);
    if (m_filter)
        m_filter->apply();
}

QByteArray TableTools::columns() const
{
    QByteArray state = m_columnsBefore.isEmpty() ? m_view->header()->saveState() : m_columnsBefore;
    if (!m_shownByItself.isEmpty()) {
        QHeaderView asChosen(Qt::Horizontal);
        asChosen.setModel(m_view->model());
        asChosen.restoreState(state);
        for (const int column : m_shownByItself)
            asChosen.setSectionHidden(column, true);
        state = asChosen.saveState();
    }
    QByteArray kept;
    QDataStream(&kept, QIODevice::WriteOnly) << keptMark << state << m_chosen << (m_widths == Widths::Fitted);
    return kept;
}

void TableTools::restoreColumns(const QByteArray& columns)
{
    QDataStream kept(columns);
    quint32 mark = 0;
    QByteArray state;
    QList<int> chosen;
    bool isFitted = false; // as where an older version kept it
    kept >> mark;
    if (mark == keptMark)
        kept >> state >> chosen >> isFitted;
    else
        state = columns; // of a version that kept nothing else
    QHeaderView* header = m_view->header();
    const int count = header->count();
    const QByteArray before = header->saveState();
    const bool isRestored = header->restoreState(state) && header->count() == count;
    m_hasKeptColumns = isRestored && !isFitted;
    if (isRestored) {
        m_chosen = chosen;
        m_widths = isFitted ? Widths::Fitted : Widths::Chosen;
    } else {
        header->restoreState(before);
    }
    header->setSectionHidden(0, false);
    header->setSortIndicatorShown(false); // rows are in their own order at first
    header->setSortIndicator(-1, Qt::AscendingOrder);
}

void TableTools::showByItself(const QList<int>& columns)
{
    for (const int column : columns)
        if (m_view->isColumnHidden(column) && !m_chosen.contains(column)) {
            m_view->setColumnHidden(column, false);
            m_shownByItself << column;
        }
}

void TableTools::showByItself(const QList<int>& columns, int room)
{
    for (const int column : columns) {
        if (!m_chosen.contains(column)) {
            m_view->setColumnHidden(column, false);
            m_shownByItself.removeAll(column);
        }
        room -= m_view->columnWidth(column);
        if (m_chosen.contains(column))
            continue;
        if (room < 0)
            m_view->setColumnHidden(column, true);
        else
            m_shownByItself << column;
    }
}

void TableTools::choose(int column, bool isShown)
{
    m_shownByItself.removeAll(column);
    if (!m_chosen.contains(column))
        m_chosen << column;
    m_view->setColumnHidden(column, !isShown);
    if (isShown && m_view->columnWidth(column) == 0)
        m_view->resizeColumnToContents(column);
}

void TableTools::showColumnMenu(const QPoint& position)
{
    QMenu menu(m_view);
    fillColumnMenu(&menu);
    menu.addSeparator();
    menu.addActions(actions());
    menu.exec(m_view->header()->mapToGlobal(position));
}

// The first column says what a row is, and stays.
void TableTools::fillColumnMenu(QMenu* menu)
{
    for (int column = 1; column < m_view->model()->columnCount(); ++column) {
        const QString title = m_view->model()->headerData(column, Qt::Horizontal).toString();
        QAction* action = menu->addAction(menuText(title), m_view,
                                          [this, column](bool isShown) { choose(column, isShown); });
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(column));
    }
    menu->addSeparator();
    menu->addAction(tr("Columns as at first"), m_view, [this] {
        m_shownByItself.clear();
        m_chosen.clear();
        for (int column = 1; column < m_view->model()->columnCount(); ++column)
            m_view->setColumnHidden(column, m_hiddenAtFirst.contains(column));
        emit columnsReset();
    });
}

} // namespace stagecraft
