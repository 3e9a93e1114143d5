#include "views/tables/row_menu.h"

#include "views/base/widgets.h"

#include <QAbstractItemView>
#include <QContextMenuEvent>
#include <QItemSelectionModel>
#include <QMenu>

#include <utility>

namespace stagecraft {

void giveRowMenu(QAbstractItemView* view, const QList<QAction*>& always,
                 std::function<void(QMenu&, const QModelIndex&)> fill)
{
    const auto open = [view, always, fill = std::move(fill)](const QModelIndex& row, QPoint place) {
        QMenu menu(view);
        if (row.isValid() && row.flags().testFlag(Qt::ItemIsEnabled)) {
            if (!view->selectionModel()->isSelected(row))
                view->setCurrentIndex(row);
            fill(menu, row);
            menu.addSeparator();
        }
        menu.addActions(always);
        menu.exec(place);
    };
    // A click comes to the viewport, a key to the view.
    filterEvents(view->viewport(), [=](QEvent* event) {
        if (event->type() != QEvent::ContextMenu)
            return false;
        const auto* menu = static_cast<QContextMenuEvent*>(event);
        open(view->indexAt(menu->pos()).siblingAtColumn(0), menu->globalPos());
        return true;
    });
    filterEvents(view, [=](QEvent* event) {
        if (event->type() != QEvent::ContextMenu)
            return false;
        const QPoint middle = view->visualRect(view->currentIndex()).center();
        open(view->currentIndex().siblingAtColumn(0), view->viewport()->mapToGlobal(middle));
        return true;
    });
}

} // namespace stagecraft
