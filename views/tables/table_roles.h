// What a model of any table gives besides its texts, so that the table can be sorted, summed up and taken
// along.
#pragma once

#include <Qt>

namespace stagecraft {

// Of a cell: what it is sorted by and written as for machines, a number in the unit of its column or a text.
// Without one it is its text.
inline constexpr int valueRole = Qt::UserRole + 3;
// Of a column (headerData): its ColumnUnit as an int; without one there is nothing to add up.
inline constexpr int unitRole = Qt::UserRole + 4;

enum class ColumnUnit { None, Time, Size, Work, Number };

} // namespace stagecraft
