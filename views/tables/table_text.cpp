#include "views/tables/table_text.h"

#include "views/base/figure_change.h"
#include "views/base/format.h"

#include <QLocale>

#include <cmath>

namespace stagecraft {

namespace {

bool isNumber(const QVariant& value)
{
    const int type = value.typeId();
    return type == QMetaType::Double || type == QMetaType::Int || type == QMetaType::LongLong ||
           type == QMetaType::UInt || type == QMetaType::ULongLong;
}

ColumnUnit unitOf(const QAbstractItemModel& model, int column)
{
    return static_cast<ColumnUnit>(model.headerData(column, Qt::Horizontal, unitRole).toInt());
}

QString titleOf(const QAbstractItemModel& model, int column)
{
    return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

// Cells that are drawn say in words what they show.
QString textOf(const QModelIndex& cell)
{
    const QString text = cell.data(Qt::DisplayRole).toString();
    return text.isEmpty() ? cell.data(Qt::AccessibleTextRole).toString() : text;
}

// "12.4 ms, +3 %" where plans are compared.
QString comparedText(const QModelIndex& cell)
{
    const QString text = cell.data(Qt::DisplayRole).toString();
    return text.isEmpty() ? textOf(cell) : withChange(text, cell.data(cellRole).value<CellContent>());
}

QString unitName(ColumnUnit unit)
{
    switch (unit) {
    case ColumnUnit::Time:
        return QStringLiteral(" [s]");
    case ColumnUnit::Size:
        return QStringLiteral(" [bytes]");
    case ColumnUnit::Work:
        return QStringLiteral(" [FLOP]");
    case ColumnUnit::None:
    case ColumnUnit::Number:
        break;
    }
    return {};
}

QString csvCell(const QModelIndex& cell)
{
    const QVariant value = cell.data(valueRole);
    if (isNumber(value))
        return QString::number(value.toDouble(), 'g', 17);
    return csvField(value.isValid() ? value.toString() : textOf(cell));
}

QString markdownField(const QString& text)
{
    QString field;
    for (const QChar c : text) {
        if (QStringLiteral("\\|`*_<>[]#~&").contains(c))
            field += '\\';
        field += c == '\n' || c == '\r' ? QChar(' ') : c;
    }
    return field;
}

bool isOnTheRight(const QAbstractItemModel& model, int column)
{
    return (model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
}

} // namespace

QString amountText(ColumnUnit unit, double amount)
{
    switch (unit) {
    case ColumnUnit::Time:
        return toText(Seconds(amount));
    case ColumnUnit::Size:
        return toText(Bytes(std::llround(amount)));
    case ColumnUnit::Work:
        return toText(Flops(amount));
    case ColumnUnit::None:
    case ColumnUnit::Number:
        break;
    }
    return QLocale(QLocale::English).toString(std::llround(amount));
}

QString csvField(QString text)
{
    if (!text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front()))
        text.prepend('\'');
    if (!text.contains(',') && !text.contains('"') && !text.contains('\n') && !text.contains('\r'))
        return text;
    return '"' + text.replace('"', QStringLiteral("\"\"")) + '"';
}

QString csvNumber(double number)
{
    return QString::number(number, 'g', 17);
}

QString csvLine(const QStringList& fields)
{
    return fields.join(',') + QStringLiteral("\r\n");
}

QString tableCsv(const QAbstractItemModel& model, const TablePart& part)
{
    QStringList fields;
    for (const int column : part.columns)
        fields << csvField(titleOf(model, column) + unitName(unitOf(model, column)));
    QString text = csvLine(fields);
    for (const QModelIndex& row : part.rows) {
        fields.clear();
        for (const int column : part.columns)
            fields << csvCell(row.siblingAtColumn(column));
        text += csvLine(fields);
    }
    return text;
}

QString tableMarkdown(const QAbstractItemModel& model, const TablePart& part)
{
    QStringList titles;
    QStringList lines;
    for (const int column : part.columns) {
        titles << markdownField(titleOf(model, column));
        lines << (isOnTheRight(model, column) ? "---:" : "---");
    }
    QString text = "| " + titles.join(" | ") + " |\n| " + lines.join(" | ") + " |\n";
    for (const QModelIndex& row : part.rows) {
        QStringList fields;
        for (const int column : part.columns)
            fields << markdownField(comparedText(row.siblingAtColumn(column)));
        text += "| " + fields.join(" | ") + " |\n";
    }
    return text;
}

QString tableSums(const QAbstractItemModel& model, const TablePart& part)
{
    if (part.rows.size() < 2)
        return {};
    QStringList sums;
    for (const int column : part.columns) {
        const ColumnUnit unit = unitOf(model, column);
        if (unit == ColumnUnit::None)
            continue;
        double sum = 0;
        for (const QModelIndex& row : part.rows)
            sum += row.siblingAtColumn(column).data(valueRole).toDouble();
        sums << titleOf(model, column) + ' ' + amountText(unit, sum);
    }
    const QString rows = QObject::tr("%1 rows").arg(part.rows.size());
    return sums.isEmpty() ? rows : rows + ": " + sums.join(QStringLiteral(" · "));
}

} // namespace stagecraft
