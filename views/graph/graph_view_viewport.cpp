// What GraphView shows of the drawing: zoom, place, and what stays where it was when the drawing changes.
#include "views/graph/graph_scene.h"
#include "views/graph/graph_view.h"

#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double smallestZoom = 0.01;
constexpr double largestZoom = 4;
// For a first look: names can be read; shapes and times can, and more than a few ops are there.
constexpr double smallestOpeningZoom = 0.55;
constexpr double largestOpeningZoom = 0.85;
constexpr int border = 28; // pixels around the drawing

} // namespace

void GraphView::zoomBy(double factor, QPoint around)
{
    const double target = std::clamp(zoom() * factor, smallestZoom, largestZoom);
    const QPointF fixed = mapToScene(around);
    m_isTouched = true;
    setTransform(QTransform::fromScale(target, target));
    updateSceneRect();
    const QPointF moved = mapFromScene(fixed) - QPointF(around);
    panBy(-moved.toPoint());
    emit zoomChanged(target);
}

// The drawing and half a view around it, so that anything can be brought anywhere: what was clicked can stay
// where it is, whatever becomes of its surroundings.
void GraphView::updateSceneRect()
{
    if (!m_paint.layout) {
        setSceneRect(QRectF());
        return;
    }
    // Without scroll bars: were it of the view beside them, they would come and go for ever where the drawing
    // is smaller than they are wide.
    const QSize view = maximumViewportSize();
    const double x = view.width() / 2.0 / zoom();
    const double y = view.height() / 2.0 / zoom();
    const Size size = m_paint.layout->size;
    setSceneRect(QRectF(0, 0, size.width, size.height).adjusted(-x, -y, x, y));
}

// Where the middle of the drawing's part of the view is: right of the gutter.
void GraphView::centerAt(QPointF scene)
{
    centerOn(scene);
    panBy(QPoint(graph_metrics::gutterWidth / 2, 0));
}

void GraphView::fitAll()
{
    if (!m_paint.layout)
        return;
    const double room = viewport()->width() - graph_metrics::gutterWidth - 2 * border;
    const double factor =
        std::min(room / std::max(1.0, m_paint.layout->size.width),
                 (viewport()->height() - 2.0 * border) / std::max(1.0, m_paint.layout->size.height));
    zoomBy(std::min(1.0, factor) / zoom(), viewport()->rect().center());
    centerAt(QPointF(m_paint.layout->size.width / 2, m_paint.layout->size.height / 2));
}

void GraphView::fitSelection()
{
    QRectF area;
    for (const ItemId id : m_paint.selected.ids())
        if (m_paint.selected[id] != 0)
            area |= toRect(m_paint.layout->items[id].rect);
    if (area.isEmpty())
        return fitAll();
    const double room = viewport()->width() - graph_metrics::gutterWidth - 4.0 * border;
    const double factor =
        std::min(room / area.width(), (viewport()->height() - 4.0 * border) / area.height());
    zoomBy(std::min(1.5, factor) / zoom(), viewport()->rect().center());
    centerAt(area.center());
}

void GraphView::actualSize()
{
    zoomBy(1 / zoom(), viewport()->rect().center());
}

// The top of the model, as wide as it is or as can still be read, where there is most to see.
void GraphView::showOpening()
{
    const double room = viewport()->width() - graph_metrics::gutterWidth - 2.0 * border;
    const Size pixels{std::max(1.0, room), std::max(1.0, double(viewport()->height()))};
    const OpeningView opening = openingView(*m_paint.layout, pixels, smallestOpeningZoom, largestOpeningZoom);
    setTransform(QTransform::fromScale(opening.zoom, opening.zoom));
    updateSceneRect();
    centerAt(QPointF(opening.centerX, 0));
    panBy(QPoint(0, border - viewport()->height() / 2));
    emit zoomChanged(opening.zoom);
}

// What is nearest to the middle of the screen stays there if nothing else is asked for.
void GraphView::pinCenter()
{
    if (!m_paint.layout)
        return;
    const QPointF center = mapToScene(viewport()->rect().center());
    const QRectF seen = mapToScene(viewport()->rect()).boundingRect();
    std::optional<ItemId> nearest;
    double shortest = 0;
    for (const ItemId id : m_scene->itemIdsIn(seen)) {
        const LayoutItem& item = m_paint.layout->items[id];
        const QPointF away = toRect(item.rect).center() - center;
        const double distance = QPointF::dotProduct(away, away);
        if (item.end == item.first || (nearest && shortest <= distance))
            continue;
        nearest = id;
        shortest = distance;
    }
    if (nearest)
        pinNode(m_paint.layout->tree->order[m_paint.layout->items[*nearest].first]);
}

void GraphView::pinNode(NodeId node)
{
    const std::optional<ItemId> item = m_paint.layout->itemOf[node];
    if (!item)
        return;
    const Rect& rect = m_paint.layout->items[*item].rect;
    m_pinned = Pinned{.node = node, .viewportPosition = QPointF(mapFromScene(QPointF(rect.x, rect.y)))};
}

// Where the lines are when a boundary has been dropped, there it stays; and what is beside it.
void GraphView::pinBoundary(BoundaryId boundary, std::size_t position)
{
    const auto& order = m_paint.layout->tree->order;
    m_pinned.reset();
    pinNode(order[std::min(position, order.size() - 1)]);
    if (!m_pinned)
        m_pinned = Pinned{.viewportPosition = QPointF(0, 0)};
    m_pinned->boundary = boundary;
    m_pinned->viewportPosition.setY(mapFromScene(QPointF(0, positionY(*m_paint.layout, position))).y());
}

std::optional<ItemId> GraphView::pinnedItem() const
{
    const Layout& layout = *m_paint.layout;
    if (m_pinned->node)
        return layout.itemOf[*m_pinned->node];
    std::optional<ItemId> best;
    const auto distance = [&](ItemId of) {
        const std::size_t first = layout.items[of].first;
        return first > m_pinned->first ? first - m_pinned->first : m_pinned->first - first;
    };
    for (const ItemId id : layout.items.ids()) {
        const LayoutItem& item = layout.items[id];
        const bool isIt =
            item.box && m_pinned->group && layout.tree->boxes[*item.box].group == *m_pinned->group;
        if (isIt && (!best || distance(id) < distance(*best)))
            best = id;
    }
    return best;
}

void GraphView::keepPinned()
{
    if (!m_pinned)
        return;
    QPointF now = m_pinned->viewportPosition;
    if (const std::optional<ItemId> item = pinnedItem()) {
        const Rect& rect = m_paint.layout->items[*item].rect;
        now = mapFromScene(QPointF(rect.x, rect.y));
    }
    const auto& boundary = m_pinned->boundary;
    if (boundary && boundary->index() < boundaryCount())
        now.setY(boundaryMark(*boundary).y);
    panBy((m_pinned->viewportPosition - now).toPoint());
}

void GraphView::panBy(QPoint delta)
{
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y());
}

// As little as needed; what is larger than the view is shown from its top.
void GraphView::scrollTo(const QRectF& area)
{
    constexpr int border = 60;
    const QRect pixels = mapFromScene(area).boundingRect();
    const QRect view =
        viewport()->rect().adjusted(graph_metrics::gutterWidth + border / 2, border, -border, -border);
    QPoint delta;
    if (pixels.width() <= view.width())
        delta.setX(std::max(0, view.left() - pixels.left()) - std::max(0, pixels.right() - view.right()));
    else if (pixels.right() < view.left() || pixels.left() > view.right())
        delta.setX(view.left() - pixels.left());
    if (pixels.height() <= view.height())
        delta.setY(std::max(0, view.top() - pixels.top()) - std::max(0, pixels.bottom() - view.bottom()));
    else if (pixels.bottom() < view.top() || pixels.top() > view.top())
        delta.setY(view.top() - pixels.top());
    panBy(delta);
}

} // namespace stagecraft
