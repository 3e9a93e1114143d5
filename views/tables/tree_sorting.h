// Sorting the rows of a QTreeWidget by what machines read of them (valueRole), and back into their own order.
#pragma once

#include <Qt>

class QTreeWidget;

namespace stagecraft {

// Rows are sorted among their siblings; equal ones stay as they were at first. Column -1: as they were at
// first, that is, in the order of the rows that were there when they were first sorted. What is open,
// selected and current stays so; nothing is emitted.
void sortRows(QTreeWidget* tree, int column, Qt::SortOrder order);

} // namespace stagecraft
