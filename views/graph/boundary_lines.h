// BoundaryLines: where the stages and their boundaries are in the viewport now: bands, lines, handles.
#pragma once

#include "views/base/selection.h"
#include "views/graph/boundary_drag_controller.h"
#include "views/graph/graph_overlay.h"

namespace stagecraft {

class BoundaryLines
{
public:
    // All outlive it.
    BoundaryLines(const QGraphicsView* view, const GraphPaint& paint, const Selection* selection,
                  const BoundaryDragController& drag);

    // Needs a drawing, as all below but marks() and at().
    std::vector<StageBand> bands() const;
    // With room for the handles; what is chosen last.
    std::vector<BoundaryMark> marks() const;
    // The gutter, the boundaries, and where the one that is dragged came from.
    void paint(QPainter& painter) const;
    double yOf(std::size_t position) const; // in the layout's stage order
    double yOf(BoundaryId boundary) const { return yOf(m_drag.positionOf(boundary)); }
    // Whose line or handle is there.
    std::optional<BoundaryId> at(QPoint pixel) const;
    StageId stageAt(int y) const;

    // Which one is pointed at.
    void setHovered(std::optional<BoundaryId> boundary) { m_hovered = boundary; }
    std::optional<BoundaryId> hovered() const { return m_hovered; }

private:
    BoundaryMark mark(BoundaryId boundary) const;

    const QGraphicsView* m_view;
    const GraphPaint& m_paint;
    const Selection* m_selection;
    const BoundaryDragController& m_drag;
    std::optional<BoundaryId> m_hovered;
};

} // namespace stagecraft
