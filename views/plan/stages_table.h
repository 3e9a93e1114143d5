// StagesTable: a row for each stage with what it costs, and a line below with what the plan as a whole costs.
//
//     #  Ops  Forward  Backward  Time ▇▇▇▇▇▁  Parameters  Peak ▇▇▇▇|▇  In flight  Received  Sent  Gap
//
// The keyboard twin of the graph's boundaries: everything that can be done to one can be done here. The
// boundary that keys act on is the one below the current row (above it, for the last row).
//
//     Enter             show the stage's code          Alt+Up/Down        move the boundary by a place
//     Delete            join with the stage below      Shift+Alt+Up/Down  ... by a module
//     S                 split the stage in two         Ctrl+Alt+Up/Down   ... to the best place nearby
//     [ ]               choose the boundary above, below
//
// Rows can be sorted (views/tables/table_tools.h), and stand still while a boundary is dragged.
#pragma once

#include "core/plan/plan_difference.h"
#include "views/base/compared_plan.h"
#include "views/base/plan_view.h"
#include "views/base/selection.h"

#include <QWidget>

class QLabel;
class QMenu;
class QSortFilterProxyModel;
class QTreeView;

namespace stagecraft {

class StagesModel;
enum class StageColumn;
class TableTools;

class StagesTable : public QWidget
{
    Q_OBJECT

public:
    explicit StagesTable(Selection* selection, QWidget* parent = nullptr);

    // The plan as it stands; a view without cost shows the empty state.
    void setPlan(const PlanView& plan);
    // The plan under the mouse while a boundary is dragged: its figures are shown with their differences to
    // setPlan()'s. None ends it.
    void setPreview(const std::optional<PlanView>& plan);
    // B: figures are shown with their differences to it while none is previewed. Null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // Part of the menu of a row; outlives this.
    void setStageMenu(QMenu* menu) { m_stageMenu = menu; }

signals:
    void stageActivated(StageId stage);
    void boundaryMoveRequested(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void boundaryRemoveRequested(BoundaryId boundary);
    void stageSplitRequested(StageId stage);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    std::optional<StageId> currentStage() const;
    std::optional<BoundaryId> currentBoundary() const;
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void showMenu(const QPoint& position);
    void showTotals();
    QString changeHtml(PlanFigure figure) const; // to what differences are to
    QString figuresHtml(const PlanCost& cost) const;
    void showSelection();
    void readCurrentRow();
    int wantedWidth(StageColumn of) const;
    int titleWidth(StageColumn of) const;
    int leastWidth(StageColumn of) const;
    void fitColumns();
    void takeWidths();
    void showRunAgain();
    QModelIndex rowOf(std::size_t stage) const;

    Selection* m_selection;
    StagesModel* m_model;
    QSortFilterProxyModel* m_order; // of the rows
    QTreeView* m_view;
    TableTools* m_tools;
    QLabel* m_empty;
    QLabel* m_headline;
    QLabel* m_figures;
    QLabel* m_sums;
    QMenu* m_stageMenu = nullptr;
    PlanView m_plan;
    std::shared_ptr<const PlanCost> m_preview;
    std::shared_ptr<const ComparedPlan> m_compared;
    bool m_showsRunAgain = false;
    bool m_isFitting = false;
};

} // namespace stagecraft
