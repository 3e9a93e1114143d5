#include "views/tables/row_ranges.h"

namespace stagecraft {

QItemSelection rowRanges(const std::vector<QModelIndex>& rows)
{
    const auto follows = [](const QModelIndex& row, const QModelIndex& before) {
        return row.row() == before.row() + 1 && row.parent() == before.parent();
    };
    QItemSelection ranges;
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t end = i + 1;
        while (end < rows.size() && follows(rows[end], rows[end - 1]))
            ++end;
        ranges.append(QItemSelectionRange(rows[i], rows[end - 1]));
        i = end;
    }
    return ranges;
}

} // namespace stagecraft
