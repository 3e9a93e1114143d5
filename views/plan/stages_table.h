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
#pragma once

#include "views/base/plan_view.h"
#include "views/base/selection.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace stagecraft {

class StagesModel;

class StagesTable : public QWidget
{
    Q_OBJECT

public:
    explicit StagesTable(Selection* selection, QWidget* parent = nullptr);

    // The plan as it stands; a view without cost shows the empty state.
    void setPlan(const PlanView& plan);
    // The plan under the mouse while a boundary is dragged: its figures are shown with their differences to
    // setPlan()'s. Null ends it.
    void setPreview(std::shared_ptr<const PlanCost> cost);

signals:
    void stageActivated(StageId stage);
    void boundaryMoveRequested(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void boundaryRemoveRequested(BoundaryId boundary);
    void stageSplitRequested(StageId stage);

private:
    std::optional<StageId> currentStage() const;
    std::optional<BoundaryId> currentBoundary() const;
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void showMenu(const QPoint& position);
    void showTotals();
    void showSelection();
    void readCurrentRow();
    void fitColumns();

    Selection* m_selection;
    StagesModel* m_model;
    QTreeView* m_view;
    QLabel* m_empty;
    QLabel* m_headline;
    QLabel* m_figures;
    PlanView m_plan;
    std::shared_ptr<const PlanCost> m_preview;
};

} // namespace stagecraft
