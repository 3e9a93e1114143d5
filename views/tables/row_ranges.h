// Rows of a tree as few ranges: a selection model is slow with many.
#pragma once

#include <QItemSelection>

#include <vector>

namespace stagecraft {

// Valid indexes of one model, one a row. Those that stand behind each other under one parent make one range.
QItemSelection rowRanges(const std::vector<QModelIndex>& rows);

} // namespace stagecraft
