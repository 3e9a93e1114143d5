// OperatorsPanel: all operators in one flat table; while something is looked for, those that were found.
//
//     48 of 2,068 ops are what you look for
//     Op ▾        Operator  Module            Stage  Time ▇▇▇▇▁   Kept ▇▇▁▁   ...
//     12 rows: Time 3.20 ms · Kept 24.0 MiB                       of the rows that are selected
//
// Enter or a double click shows an op in the other views. Sorting, columns, copies: TableTools.
#pragma once

#include "views/base/compared_plan.h"
#include "views/base/plan_view.h"
#include "views/base/selection.h"

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QTreeView;

namespace stagecraft {

struct Overlay;
class OperatorsModel;
class TableTools;

class OperatorsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit OperatorsPanel(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    // B, whose figures differences are to; null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // Figures of a person's own for the graph of the plan; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    // What the menu of a row offers besides; they act on the selection. Those that are disabled are left out.
    void setMenuActions(const QList<QAction*>& actions) { m_menuActions = actions; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    std::vector<NodeId> selectedNodes() const;
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void showMenu(const QPoint& position);
    void showMatches();
    void showSelection();
    void readSelection();
    void fitColumns();

    Selection* m_selection;
    OperatorsModel* m_model;
    QLabel* m_empty;
    QLabel* m_found;
    QTreeView* m_view;
    QLabel* m_sums;
    TableTools* m_tools;
    QList<QAction*> m_menuActions;
    PlanView m_plan;
    std::shared_ptr<const Overlay> m_overlay;
    bool m_settingSelection = false;
};

} // namespace stagecraft
