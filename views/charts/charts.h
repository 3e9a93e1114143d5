// ExecutionCharts: memory, time, and bytes across a cut, above one another on one execution axis.
//
//     GiB  ▁▂▃▄▅│▂▃▄▅▆▇│▃▄▅   memory of the device that runs the stage, up to each op; its limit, its peak
//     ms   ▏▎▍▌▋│▏▎▍▌▋▊│▍▌▋   time of each op, forward up, backward down
//     MiB  ▆▂▆▂▆│▂▆▂▆▂▆│▂▆▂   what a boundary at each place would send
//          0    1      2
//
// The axis is the stage order (core/plan/editing.h), by number of op or by cumulative time. Boundaries
// are lines that can be dragged; a drag snaps to places between ops and is drawn to the valleys of the bottom
// curve (Alt: it is not), Esc aborts it. Dragging elsewhere selects the ops of a range.
//
//     wheel, A D   pan        [ ]          choose a boundary        Esc     abort, select nothing
//     Ctrl+wheel, W S  zoom   Left Right   move it by one place     0       everything
//     Shift+Left Right  by a module; Ctrl+Left Right  to the best place nearby
#pragma once

#include "views/base/plan_view.h"
#include "views/base/selection.h"
#include "views/charts/execution_scale.h"

#include <QWidget>

class QAction;
class QComboBox;
class QLabel;

namespace stagecraft {

class ChartPlot;

class ExecutionCharts : public QWidget
{
    Q_OBJECT

public:
    explicit ExecutionCharts(Selection* selection, QWidget* parent = nullptr);

    // May be called for every frame of a drag: the lines follow at once, curves with the next repaint.
    void setPlan(const PlanView& plan);
    void setAxis(ExecutionAxis axis);
    // How high values stand; also a switch among actions().
    void setLook(ValueLook look);
    // The boundaries of B are drawn dashed; null: none.
    void setCompared(std::shared_ptr<const Partition> other);

    // Where a stage-order position (0 .. number of ops) is, in this widget; for tests and guided tours.
    double positionToPixel(std::size_t position) const;

signals:
    // `position`: how many ops of the stage order stand before the boundary.
    void boundaryDragged(BoundaryId boundary, std::size_t position);
    void boundaryDropped(BoundaryId boundary, std::size_t position);
    void dragCancelled();
    void boundaryMoveRequested(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void splitRequested(std::size_t position); // double click
    // A right click: what is under it is selected now, a boundary or ops. actions() are those of the charts.
    void menuRequested(const QPoint& position);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void openMenu(const QContextMenuEvent& event);

    Selection* m_selection;
    ChartPlot* m_plot;
    QComboBox* m_axisChoice;
    QAction* m_logarithmic;
    QLabel* m_empty;
};

} // namespace stagecraft
