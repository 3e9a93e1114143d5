#include "views/graph/box_drag_controller.h"

#include "views/base/colors.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"

#include <QGraphicsView>
#include <QPainter>

#include <algorithm>

namespace stagecraft {

BoxDragController::BoxDragController(QGraphicsView* view, GraphPaint& paint, Selection* selection,
                                     const BoundaryLines& lines)
    : m_view(view), m_paint(paint), m_selection(selection), m_lines(lines)
{
}

void BoxDragController::start(ItemId item, QPoint pressed)
{
    std::vector<NodeId> nodes = nodesShownBy(*m_paint.layout, item);
    if (std::ranges::all_of(nodes, [&](NodeId node) { return m_selection->contains(node); })) {
        nodes = m_selection->nodes();
    } else {
        m_paint.current = item;
        m_selection->setBoundary({});
        m_selection->setNodes(nodes);
    }
    m_pressed = pressed;
    m_drag.emplace(*m_paint.layout, m_paint.plan, item, nodes);
}

void BoxDragController::moveTo(QPoint pixel)
{
    m_last = pixel;
    if (m_drag->moveTo(m_lines.stageAt(pixel.y())))
        emit dragged(m_drag->nodes(), *m_drag->target());
    m_view->viewport()->setCursor(m_drag->isRefused() ? Qt::ForbiddenCursor : Qt::ClosedHandCursor);
    emit changed();
}

void BoxDragController::refuse(const QString& why)
{
    if (m_drag)
        m_drag->refuse(why);
}

void BoxDragController::drop()
{
    const BoxDrag drag = *std::exchange(m_drag, std::nullopt);
    if (drag.target() && drag.wouldMove(*drag.target()))
        emit dropped(drag.nodes(), *drag.target());
    else
        emit cancelled();
    emit changed();
}

void BoxDragController::cancel()
{
    if (!std::exchange(m_drag, std::nullopt))
        return;
    emit cancelled();
    emit changed();
}

void BoxDragController::paintTarget(QPainter& painter) const
{
    const Theme& theme = m_paint.theme;
    const DragCard card = m_drag->card(m_paint.plan);
    if (!card.stage)
        return;
    const StageBand band = m_lines.bands()[card.stage->index()];
    const QColor color =
        card.isRefused ? theme.danger : withContrast(stageColor(theme, band.stage), theme.surface, 3);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 3));
    const QRect area = m_view->viewport()->rect().adjusted(graph_metrics::gutterWidth, 0, 0, 0);
    const double top = std::max(band.top, -10.0);
    const double bottom = std::min(band.bottom, area.height() + 10.0);
    painter.drawRect(QRectF(area.left() + 1.5, top + 1.5, area.width() - 3, bottom - top - 3));
}

void BoxDragController::paintBoxes(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(m_view->viewport()->rect());
    painter.setOpacity(0.8);
    const QPoint offset = m_last - m_pressed;
    painter.setTransform(m_view->viewportTransform() * QTransform::fromTranslate(offset.x(), offset.y()));
    paintThing(painter, m_paint, m_drag->grabbed(), m_view->transform().m11());
    painter.restore();
    paintDragCard(painter, m_drag->card(m_paint.plan), m_last, m_view->viewport()->rect(), m_view->font(),
                  m_paint.theme);
}

} // namespace stagecraft
