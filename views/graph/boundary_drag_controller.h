// BoundaryDragController: a boundary that the mouse drags over the graph: where it may go, where it is, and
// what is told of it.
#pragma once

#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_paint_data.h"

#include <QObject>

class QGraphicsView;

namespace stagecraft {

class BoundaryDragController : public QObject
{
    Q_OBJECT

public:
    // Both outlive it.
    BoundaryDragController(QGraphicsView* view, const GraphPaint& paint) : m_view(view), m_paint(paint) {}

    // Without it a boundary can go anywhere between its neighbours.
    void setLegalPositions(LegalPositions legal) { m_legal = std::move(legal); }
    // `grip`: pixels of the pointer below the line.
    void start(BoundaryId boundary, int grip);
    // Says in a tooltip why the boundary cannot move, if it cannot.
    void moveTo(QPoint pixel, Qt::KeyboardModifiers modifiers);
    void drop();
    void cancel();

    bool isDragging() const { return m_drag.has_value(); }
    bool hasMoved() const { return m_drag && m_drag->position() != m_drag->start(); }
    const std::optional<BoundaryDrag>& drag() const { return m_drag; }
    // Where a boundary is now, dragged or not.
    std::size_t positionOf(BoundaryId boundary) const;
    // How much slower the slowest stage has become by the drag; empty where that is not known, or nothing has
    // moved.
    QString slowestText() const;
    bool isLocked(BoundaryId boundary) const;

signals:
    void changed();
    void dragged(BoundaryId boundary, std::size_t position);
    void dropped(BoundaryId boundary, std::size_t position);
    void cancelled(); // also a drop where it began

private:
    std::vector<std::size_t> between(BoundaryId boundary) const; // its neighbours

    QGraphicsView* m_view;
    const GraphPaint& m_paint;
    LegalPositions m_legal;
    std::optional<BoundaryDrag> m_drag;
    int m_grip = 0;
    std::shared_ptr<const PlanCost> m_costBefore;
};

} // namespace stagecraft
