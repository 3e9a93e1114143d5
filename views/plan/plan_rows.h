// PlanRows: plans beside each other, a row each, in whatever order; double click or Enter chooses one.
#pragma once

#include "views/base/cell_delegate.h"
#include "views/tables/table_roles.h"

#include <QTreeWidget>

#include <functional>
#include <vector>

class QMenu;

namespace stagecraft {

class TableTools;

class PlanRows : public QTreeWidget
{
    Q_OBJECT

public:
    struct Column
    {
        QString title;
        QString help;
        Qt::AlignmentFlag alignment = Qt::AlignRight;
        ColumnUnit unit = ColumnUnit::None;
    };
    struct Cell
    {
        QString text;
        CellContent content;
        std::optional<double> value = {}; // for machines, in the unit of its column
    };
    struct Row
    {
        std::vector<Cell> cells; // one a column
        QString help;
        bool canBeChosen = true;
    };

    // `name` is what it is called where it is taken along.
    PlanRows(const QString& name, const std::vector<Column>& columns, QWidget* parent = nullptr);

    // The row that is current stays the current one.
    void setRows(const std::vector<Row>& rows);
    // Of those that were set, however they are sorted; -1: none.
    int currentRow() const;
    void setCurrentRow(int row);

    // What is shown, for other programs.
    QString csv() const;
    // To be laid out below it, as that of TableTools.
    QWidget* filterLine() const;

    // What can be done with a row, for its menu; above what every table can do.
    using FillMenu = std::function<void(QMenu&, int row)>;
    void setRowMenu(FillMenu fill) { m_fillMenu = std::move(fill); }

signals:
    void chosen(int row);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose();
    void makeRoomForChanges(const std::vector<Row>& rows); // no column becomes narrower
    void fitColumn(int column);

    TableTools* m_tools;
    FillMenu m_fillMenu;
};

} // namespace stagecraft
