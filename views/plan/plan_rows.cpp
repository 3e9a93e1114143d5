#include "views/plan/plan_rows.h"

#include "views/base/plain_text.h"
#include "views/tables/table_tools.h"

#include <QHeaderView>
#include <QKeyEvent>

namespace stagecraft {

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
    auto* tools = new TableTools(this, name, TableTools::Sorting::Fixed);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    addActions(tools->actions());
    connect(this, &QTreeWidget::itemDoubleClicked, this, &PlanRows::choose);
}

void PlanRows::setRows(const std::vector<Row>& rows)
{
    const int current = currentRow();
    const bool isFirst = topLevelItemCount() == 0;
    clear();
    for (const Row& row : rows) {
        auto* item = new QTreeWidgetItem(this);
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
    if (isFirst)
        for (int i = 0; i + 1 < columnCount(); ++i)
            fitColumn(i);
    setCurrentItem(topLevelItem(current));
}

// With room for the row that is bold.
void PlanRows::fitColumn(int column)
{
    resizeColumnToContents(column);
    header()->resizeSection(column, header()->sectionSize(column) + em(this, 0.8));
}

int PlanRows::currentRow() const
{
    return indexOfTopLevelItem(currentItem());
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
