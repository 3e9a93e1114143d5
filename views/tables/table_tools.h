// TableTools: what every table can do besides showing its rows, whoever owns it.
//
//     a click on a title      sorts: figures from the largest, then from the smallest, then as they were
//     a right click on one    chooses which columns are shown
//     Ctrl+C                  copies what is selected (or all) for a spreadsheet
//     filterLine()            a line below the table, from the key / on: only rows with the words in it
//     actions()               copy as CSV, copy as Markdown, save, filter: for the table's own menu
//     sums                    of what is selected, as a text for a line below the table
//
// What is copied and saved is what is shown: the columns that are, in their order, and the rows that are
// open.
#pragma once

#include "core/base/result.h"
#include "views/tables/table_text.h"

#include <QObject>

class QAction;
class QMenu;
class QTreeView;

namespace stagecraft {

class RowFilter;

class TableTools : public QObject
{
    Q_OBJECT

public:
    enum class Sorting { Wanted, Fixed }; // Fixed: the order of rows means something that must stay in sight

    // The model of `view` is there already; with Sorting::Wanted it can sort(), and -1 is its own order, or
    // `view` is a QTreeWidget.
    TableTools(QTreeView* view, QString name, Sorting sorting);

    const QString& name() const { return m_name; }
    // To be laid out below the table, by who made it; a table whose line nobody asks for has none.
    QWidget* filterLine();
    QList<QAction*> actions() const;
    // Brings rows that are new into the order that was chosen.
    void sortAgain();
    // Which columns a person shows, how wide, in which order: to be put back into a table of as many columns.
    // Where the model has more for a while, what there was before they came.
    QByteArray columns() const;
    void restoreColumns(const QByteArray& columns);
    // Then nobody else chooses their widths.
    bool hasKeptColumns() const { return m_hasKeptColumns; }
    // Fitted: they follow what is in the columns, which who made the table sees to, and are not kept.
    enum class Widths { Chosen, Fitted };
    void setWidths(Widths widths) { m_widths = widths; }
    Widths widths() const { return m_widths; }
    // What is selected where more than one row is, else all rows that are open.
    TablePart part() const;
    // ".md" is Markdown, anything else CSV.
    Result<void> writeTo(const QString& path) const;
    // The columns that are not shown until they are asked for.
    void hideAtFirst(const QList<int>& columns);
    // Of these, columns that the rows call for: shown where no person chose otherwise, and not kept.
    void showByItself(const QList<int>& columns);
    // Of these, one after the other, those that there is so much room for, in pixels. The others are not
    // shown, where no person chose otherwise. Nor is this kept.
    void showByItself(const QList<int>& columns, int room);

signals:
    // A person chose the columns that are shown at first.
    void columnsReset();
    // Of tableSums(); empty where there is nothing to add up.
    void sumsChanged(const QString& sums);

private:
    void sortBy(int column);
    void choose(int column, bool isShown);
    void showColumnMenu(const QPoint& position);
    void fillColumnMenu(QMenu* menu);
    void save();

    QTreeView* m_view;
    QString m_name;
    QList<QAction*> m_copies;
    QAction* m_save;
    RowFilter* m_filter = nullptr;
    QList<int> m_hiddenAtFirst;
    QList<int> m_shownByItself;
    QList<int> m_chosen;        // by a person, shown or not
    QByteArray m_columnsBefore; // others came; empty: none did, or they are gone
    int m_sortedBy = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    bool m_hasKeptColumns = false;
    Widths m_widths = Widths::Chosen;
};

} // namespace stagecraft
