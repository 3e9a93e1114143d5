// The menu of a table's rows: on a right click it acts on what is under the pointer, on the key for menus on
// the current row.
#pragma once

#include <QList>
#include <QModelIndex>

#include <functional>

class QAbstractItemView;
class QAction;
class QMenu;

namespace stagecraft {

// `fill` adds what can be done with that row, which is the current one by then, or one of those that are
// selected; it is not asked where the pointer is beside the rows, or on one that cannot be chosen. Below
// stands what can always be done: `always`.
void giveRowMenu(QAbstractItemView* view, const QList<QAction*>& always,
                 std::function<void(QMenu&, const QModelIndex&)> fill);

} // namespace stagecraft
