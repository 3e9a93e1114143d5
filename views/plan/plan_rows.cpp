#include "views/plan/plan_rows.h"

#include "views/base/plain_text.h"
#include "views/tables/row_menu.h"
#include "views/tables/table_tools.h"

#include <QHeaderView>
#include <QKeyEvent>

namespace stagecraft {

namespace {

constexpr int rowRole = Qt::UserRole + 9; // which of the rows that were set, whatever they are sorted by

} // namespace

PlanRows::PlanRows(const QString& name, const std::vector<Column>& columns, QWidget* parent)
    : QTreeWidget(parent)
{
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setItemDelegate(new CellDelegate(this));
    setColumnCount(static_cast<int>(columns.size()));
    header()->setStretchLastSection(true);
    for (int i = 0; i < columnCount(); ++i) {
        const Column& column = columns[static_cast<std::size_t>(i)];
        headerItem()->setText(i, column.title);
        headerItem()->setToolTip(i, column.help);
        headerItem()->setData(i, unitRole, static_cast<int>(column.unit));
        headerItem()->setTextAlignment(i, Qt::AlignVCenter | column.alignment);
    }
    m_tools = new TableTools(this, name, TableTools::Sorting::Wanted);
    m_tools->filterLine();
    giveRowMenu(this, m_tools->actions(), [this](QMenu& menu, const QModelIndex& index) {
        if (m_fillMenu)
            m_fillMenu(menu, index.siblingAtColumn(0).data(rowRole).toInt());
    });
    connect(this, &QTreeWidget::itemDoubleClicked, this, &PlanRows::choose);
}

QString PlanRows::csv() const
{
    return tableCsv(*model(), m_tools->part());
}

QWidget* PlanRows::filterLine() const
{
    return m_tools->filterLine();
}

void PlanRows::setRows(const std::vector<Row>& rows)
{
    const int current = currentRow();
    const bool isFirst = topLevelItemCount() == 0;
    clear();
    int place = 0;
    for (const Row& row : rows) {
        auto* item = new QTreeWidgetItem(this);
        item->setData(0, rowRole, place++);
        for (int i = 0; i < columnCount(); ++i) {
            const Cell& cell = row.cells[static_cast<std::size_t>(i)];
            item->setText(i, cell.text);
            item->setToolTip(i, toolTipText(row.help));
            if (cell.value)
                item->setData(i, valueRole, *cell.value);
            item->setData(i, cellRole, QVariant::fromValue(cell.content));
            item->setTextAlignment(i, Qt::Alignment(headerItem()->textAlignment(i)));
        }
        item->setDisabled(!row.canBeChosen);
    }
    if (isFirst && !m_tools->hasKeptColumns())
        for (int i = 0; i + 1 < columnCount(); ++i)
            fitColumn(i);
    makeRoomForChanges(rows);
    setCurrentItem(topLevelItem(current));
    m_tools->sortAgain();
}

void PlanRows::makeRoomForChanges(const std::vector<Row>& rows)
{
    const QFontMetrics bold(boldFont(font()));
    for (int i = 0; i < columnCount(); ++i)
        for (const Row& row : rows) {
            const Cell& cell = row.cells[static_cast<std::size_t>(i)];
            if (cell.content.change.isEmpty())
                continue;
            const int wanted = bold.horizontalAdvance(cell.text + cell.content.change) + em(this, 2);
            if (wanted > header()->sectionSize(i))
                header()->resizeSection(i, wanted);
        }
}

// With room for the row that is bold.
void PlanRows::fitColumn(int column)
{
    resizeColumnToContents(column);
    header()->resizeSection(column, header()->sectionSize(column) + em(this, 0.8));
}

int PlanRows::currentRow() const
{
    return currentItem() ? currentItem()->data(0, rowRole).toInt() : -1;
}

void PlanRows::setCurrentRow(int row)
{
    for (int i = 0; i < topLevelItemCount(); ++i)
        if (topLevelItem(i)->data(0, rowRole).toInt() == row)
            return setCurrentItem(topLevelItem(i));
    setCurrentItem(nullptr);
}

void PlanRows::choose()
{
    if (currentItem() && !currentItem()->isDisabled())
        emit chosen(currentRow());
}

void PlanRows::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return choose();
    QTreeWidget::keyPressEvent(event);
}

} // namespace stagecraft
