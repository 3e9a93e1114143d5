#include "views/pages/inputs_table.h"

#include "views/base/plain_text.h"

#include <QHeaderView>
#include <QRegularExpression>

namespace stagecraft {

namespace {

enum Column { NameColumn, TypeColumn };

} // namespace

InputsTable::InputsTable(QWidget* parent) : QTableWidget(1, 2, parent)
{
    setHorizontalHeaderLabels({tr("Name"), tr("Input")});
    setAccessibleName(tr("Inputs"));
    setToolTip(toolTipText(
        tr("What the model is called with, in order or by name: f32[8,3,224,224], i64[batch=2,128], "
           "(f32[2], f32[2]), none, true, 0.5. Leave it empty where the model's library knows.")));
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(NameColumn, QHeaderView::Interactive);
    horizontalHeader()->setStretchLastSection(true);
    setTabKeyNavigation(false);
    connect(this, &QTableWidget::cellChanged, this, &InputsTable::keepEmptyRow);
}

QString InputsTable::textAt(int row, int column) const
{
    const QTableWidgetItem* cell = item(row, column);
    return cell ? cell->text().trimmed() : QString();
}

std::vector<std::string> InputsTable::inputs() const
{
    std::vector<std::string> inputs;
    for (int row = 0; row < rowCount(); ++row) {
        const QString name = textAt(row, NameColumn);
        const QString type = textAt(row, TypeColumn);
        if (!type.isEmpty())
            inputs.push_back((name.isEmpty() ? type : name + '=' + type).toStdString());
    }
    return inputs;
}

void InputsTable::setInputs(const std::vector<std::string>& inputs)
{
    static const QRegularExpression named(QStringLiteral(R"(^\s*([A-Za-z_]\w*)\s*=(.*)$)"));
    setRowCount(0);
    for (const std::string& input : inputs) {
        const QString text = shownText(input);
        const QRegularExpressionMatch match = named.match(text);
        const int row = rowCount();
        insertRow(row);
        setItem(row, NameColumn, new QTableWidgetItem(match.captured(1)));
        setItem(row, TypeColumn, new QTableWidgetItem(match.hasMatch() ? match.captured(2) : text));
    }
    keepEmptyRow();
}

void InputsTable::keepEmptyRow()
{
    const int last = rowCount() - 1;
    if (last < 0 || !textAt(last, NameColumn).isEmpty() || !textAt(last, TypeColumn).isEmpty())
        insertRow(rowCount());
}

} // namespace stagecraft
