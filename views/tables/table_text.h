// Tables as text: for spreadsheets, for documents, for a person who wants a sum.
#pragma once

#include "views/tables/table_roles.h"

#include <QAbstractItemModel>
#include <QList>

namespace stagecraft {

// One index a row, in the order in which they are to be written; columns likewise.
struct TablePart
{
    QModelIndexList rows;
    QList<int> columns;
};

// As a cell of such a column says it: "3.20 ms".
QString amountText(ColumnUnit unit, double amount);
// RFC 4180 with figures as numbers, their unit in the title: "Time [s]". A text that a spreadsheet would take
// for a formula is marked as text.
QString tableCsv(const QAbstractItemModel& model, const TablePart& part);
// A text as a field of a CSV: quoted where it must be, and no formula.
QString csvField(QString text);
// So many digits that reading it gives the number again.
QString csvNumber(double number);
// A row of such fields, with its end.
QString csvLine(const QStringList& fields);
// As it is shown, figures on the right; nothing in a cell acts as markup.
QString tableMarkdown(const QAbstractItemModel& model, const TablePart& part);
// "12 rows: Time 3.20 ms, Kept 24.0 MiB" of the columns that can be added up; empty for fewer than two rows.
QString tableSums(const QAbstractItemModel& model, const TablePart& part);

} // namespace stagecraft
