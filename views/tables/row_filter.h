// RowFilter: a line below a table that leaves the rows in sight that have all the words typed into it.
//
//     /        in the table: shows the line          Esc         all rows again, the line goes
//     Enter    to the first row that is left
//
// A row has the words that its shown columns have, and those of the rows it stands below: what has matches
// below it stays and opens, and all stays that is below a match. A row that goes is selected no more.
#pragma once

#include <QModelIndex>
#include <QRegularExpression>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QTimer;
class QTreeView;

namespace stagecraft {

class RowFilter : public QWidget
{
    Q_OBJECT

public:
    // Hidden at first. The model of `view` is there already; the line follows its changes.
    explicit RowFilter(QTreeView* view);

    // Shows the line; a key of the view and an entry for its menu.
    QAction* action() const { return m_action; }
    // At once, where rows are new.
    void apply();

private:
    struct Count
    {
        int left = 0;
        int all = 0;
    };
    void followModel();
    void open();
    void close();
    void forget();
    bool handleKey(int key);
    // Of the rows below `parent`, which has `words`: those without rows of their own.
    Count applyBelow(const QModelIndex& parent, const QString& words);
    QString wordsOf(const QModelIndex& row) const;
    void dropHidden();
    void goToFirst();
    void showCount(const Count& count);

    QTreeView* m_view;
    QLineEdit* m_field;
    QLabel* m_count;
    QAction* m_action;
    QTimer* m_later; // many changes, applied once
    QRegularExpression m_wanted;
    bool m_isOn = false;
};

} // namespace stagecraft
