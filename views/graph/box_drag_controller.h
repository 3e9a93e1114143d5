// BoxDragController: operators and boxes that the mouse drags to another stage, and how that looks.
// The card at the pointer says what a drop would do:
//
//     ┌────────────────────────────┐
//     │ ▐2▌ linear_7 to stage 2    │   what, and where to
//     │ 6 ops move, 5 must follow  │   or why it cannot be dropped here
//     │ slowest stage +2.1 %       │
//     └────────────────────────────┘
#pragma once

#include "core/layout/layout.h"
#include "views/base/plan_view.h"
#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/graph/boundary_lines.h"

#include <QFont>
#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace stagecraft {

struct DragCard
{
    std::optional<StageId> stage; // where to; none: a drop would do nothing
    QString title;
    QStringList lines;
    bool isRefused = false; // the lines say why
};

class BoxDrag
{
public:
    // `plan` is the one in which the drag begins; `grabbed` is what the mouse holds.
    BoxDrag(const Layout& layout, const PlanView& plan, ItemId grabbed, const std::vector<NodeId>& nodes);

    ItemId grabbed() const { return m_grabbed; }
    // Those that would be sent; of folded boxes, in the copy that is next to the target.
    const std::vector<NodeId>& nodes() const { return m_isUpwards ? m_nodesUp : m_nodesDown; }
    std::optional<StageId> target() const { return m_target; }
    // Is there a node that is in another stage? Otherwise a drop there does nothing.
    bool wouldMove(StageId stage) const;
    // Over which stage the pointer is. Has that changed?
    bool moveTo(StageId stage);
    // Why there can be no drop; until the next move to another stage.
    void refuse(const QString& why) { m_refusal = why; }
    bool isRefused() const { return !m_refusal.isEmpty(); }
    // `preview`: the plan as it would be.
    DragCard card(const PlanView& preview) const;

private:
    ItemId m_grabbed;
    QString m_title;
    StageId m_home{0};
    bool m_isUpwards = false;
    std::vector<NodeId> m_nodesUp;
    std::vector<NodeId> m_nodesDown;
    std::shared_ptr<const Partition> m_before;
    std::shared_ptr<const PlanCost> m_costBefore;
    std::optional<StageId> m_target;
    QString m_refusal;
};

// Beside `pointer`, inside `viewport`.
void paintDragCard(QPainter& painter, const DragCard& card, QPointF pointer, const QRectF& viewport,
                   const QFont& font, const Theme& theme);

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
