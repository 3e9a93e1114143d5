// Copying a table, whatever view shows it.
#pragma once

#include "views/tables/table_text.h"

#include <functional>

class QAbstractItemView;
class QAction;

namespace stagecraft {

// "Copy as CSV", with Ctrl+C in the view, and "Copy as Markdown": of what `part` says then. The actions are
// owned by the view.
QList<QAction*> makeCopyActions(QAbstractItemView* view, const std::function<TablePart()>& part);

} // namespace stagecraft
