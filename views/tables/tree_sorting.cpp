#include "views/tables/tree_sorting.h"

#include "views/tables/table_roles.h"

#include <QCollator>
#include <QSignalBlocker>
#include <QTreeWidget>

#include <algorithm>
#include <functional>
#include <vector>

namespace stagecraft {

namespace {

constexpr int placeRole = Qt::UserRole + 20; // of a row among its siblings, at first

struct RowState
{
    QTreeWidgetItem* item;
    bool isExpanded;
    bool isSelected;
};

void collect(QTreeWidgetItem* parent, std::vector<RowState>& states)
{
    for (int i = 0; i < parent->childCount(); ++i) {
        QTreeWidgetItem* item = parent->child(i);
        states.push_back({item, item->isExpanded(), item->isSelected()});
        collect(item, states);
    }
}

// Numbers in texts count as such: "within 3 %" is before "within 10 %".
QCollator collator()
{
    const bool isPlain = QLocale::system().language() == QLocale::C; // which knows no numbers
    QCollator collator(isPlain ? QLocale(QLocale::English) : QLocale::system());
    collator.setNumericMode(true);
    return collator;
}

bool isLess(const QTreeWidgetItem* a, const QTreeWidgetItem* b, int column, const QCollator& collator)
{
    const QVariant left = a->data(column, valueRole);
    const QVariant right = b->data(column, valueRole);
    if (left.isValid() != right.isValid())
        return !left.isValid(); // no figure is less than any
    if (left.isValid() && left.typeId() != QMetaType::QString)
        return left.toDouble() < right.toDouble();
    return collator.compare(a->text(column), b->text(column)) < 0;
}

void sortChildren(QTreeWidgetItem* parent, int column, Qt::SortOrder order)
{
    QList<QTreeWidgetItem*> rows = parent->takeChildren();
    for (int i = 0; i < rows.size(); ++i)
        if (!rows[i]->data(0, placeRole).isValid())
            rows[i]->setData(0, placeRole, i);
    std::ranges::sort(rows, {}, [](const QTreeWidgetItem* row) { return row->data(0, placeRole).toInt(); });
    const QCollator texts = collator();
    if (column >= 0)
        std::ranges::stable_sort(rows, [&](const QTreeWidgetItem* a, const QTreeWidgetItem* b) {
            return order == Qt::AscendingOrder ? isLess(a, b, column, texts) : isLess(b, a, column, texts);
        });
    parent->addChildren(rows);
    for (QTreeWidgetItem* row : rows)
        sortChildren(row, column, order);
}

} // namespace

void sortRows(QTreeWidget* tree, int column, Qt::SortOrder order)
{
    const QSignalBlocker quiet(tree);
    QTreeWidgetItem* current = tree->currentItem();
    const int currentColumn = tree->currentColumn();
    std::vector<RowState> states;
    collect(tree->invisibleRootItem(), states);
    sortChildren(tree->invisibleRootItem(), column, order);
    if (current)
        tree->setCurrentItem(current, currentColumn, QItemSelectionModel::NoUpdate);
    for (const RowState& state : states) {
        state.item->setExpanded(state.isExpanded);
        state.item->setSelected(state.isSelected);
    }
}

} // namespace stagecraft
