// BoxDragController: operators and boxes that the mouse drags to another stage, and how that looks.
#pragma once

#include "views/base/selection.h"
#include "views/graph/boundary_lines.h"
#include "views/graph/graph_box_drag.h"

#include <QObject>

namespace stagecraft {

class BoxDragController : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    BoxDragController(QGraphicsView* view, GraphPaint& paint, Selection* selection,
                      const BoundaryLines& lines);

    // What is selected goes along if `item` was part of the selection; otherwise it becomes the selection.
    void start(ItemId item, QPoint pressed);
    void moveTo(QPoint pixel);
    // Why it cannot be dropped where it is.
    void refuse(const QString& why);
    void drop();
    void cancel();

    bool isDragging() const { return m_drag.has_value(); }
    const std::optional<BoxDrag>& drag() const { return m_drag; }
    // While something is dragged, in pixels of the viewport: the stage that it is over, framed; and what the
    // mouse holds, where the mouse is, with the card.
    void paintTarget(QPainter& painter) const;
    void paintBoxes(QPainter& painter) const;

signals:
    void changed();
    void dragged(const std::vector<stagecraft::NodeId>& nodes, stagecraft::StageId stage);
    void dropped(const std::vector<stagecraft::NodeId>& nodes, stagecraft::StageId stage);
    void cancelled(); // also a drop that would send nothing

private:
    QGraphicsView* m_view;
    GraphPaint& m_paint;
    Selection* m_selection;
    const BoundaryLines& m_lines;
    std::optional<BoxDrag> m_drag;
    QPoint m_pressed; // pixels of the viewport
    QPoint m_last;
};

} // namespace stagecraft
