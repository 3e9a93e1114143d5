#include "views/graph/graph_camera.h"

#include "core/layout/opening.h"
#include "views/graph/boundary_lines.h"
#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"
#include "views/graph/graph_scene.h"

#include <QGraphicsView>
#include <QLineF>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double smallestZoom = 0.01; // unless all has no room then
constexpr double largestZoom = 4;
// For a first look: names can be read; shapes and times can, and more than a few ops are there.
constexpr double smallestOpeningZoom = 0.55;
constexpr double largestOpeningZoom = 0.85;
constexpr int border = 28; // pixels around the drawing

} // namespace

GraphCamera::GraphCamera(QGraphicsView* view, const GraphScene* scene, const GraphPaint& paint)
    : m_view(view), m_scene(scene), m_paint(paint)
{
}

double GraphCamera::zoom() const
{
    return m_view->transform().m11();
}

void GraphCamera::zoomBy(double factor, QPoint around)
{
    const double least = m_paint.layout ? std::min(smallestZoom, fittingZoom()) : smallestZoom;
    const double target = std::clamp(zoom() * factor, least, largestZoom);
    const QPointF fixed = m_view->mapToScene(around);
    touch();
    m_view->setTransform(QTransform::fromScale(target, target));
    updateSceneRect();
    const QPointF moved = m_view->mapFromScene(fixed) - QPointF(around);
    panBy(-moved.toPoint());
}

QRectF GraphCamera::selectedArea() const
{
    QRectF area;
    if (m_paint.layout)
        for (const ItemId id : m_paint.selected.ids())
            if (m_paint.selected[id] != 0)
                area |= toRect(m_paint.layout->items[id].rect);
    return area;
}

void GraphCamera::zoomHere(double factor)
{
    const QRect view = m_view->viewport()->rect();
    const QPoint chosen = m_view->mapFromScene(selectedArea().center());
    zoomBy(factor, !selectedArea().isEmpty() && view.contains(chosen) ? chosen : view.center());
}

void GraphCamera::showActualSize()
{
    QRectF area = selectedArea();
    zoomBy(1 / zoom(),
           area.isEmpty() ? m_view->viewport()->rect().center() : m_view->mapFromScene(area.center()));
    if (!area.isEmpty() || !m_paint.layout)
        return scrollTo(area);
    if (const QRectF nearest = nearestThing(); !nearest.isEmpty() && !nearest.intersects(middleOfView()))
        centerAt(nearest.center());
}

QRectF GraphCamera::middleOfView() const
{
    const QRectF shown = m_view->mapToScene(m_view->viewport()->rect()).boundingRect();
    return shown.adjusted(shown.width() / 4, shown.height() / 4, -shown.width() / 4, -shown.height() / 4);
}

QRectF GraphCamera::nearestThing() const
{
    QRectF nearest;
    const QRectF middle = middleOfView();
    double shortest = 0;
    for (const LayoutItem& item : m_paint.layout->items) {
        const QRectF rect = toRect(item.rect);
        if (item.kind == ItemKind::Stage || item.kind == ItemKind::OpenBox)
            continue;
        if (rect.intersects(middle))
            return rect;
        const double away = QLineF(rect.center(), middle.center()).length();
        if (!nearest.isEmpty() && away >= shortest)
            continue;
        shortest = away;
        nearest = rect;
    }
    return nearest;
}

// The drawing and half a view around it, so that anything can be brought anywhere: what was clicked can stay
// where it is, whatever becomes of its surroundings.
void GraphCamera::updateSceneRect()
{
    if (!m_paint.layout) {
        m_view->setSceneRect(QRectF());
        return;
    }
    // Without scroll bars: were it of the view beside them, they would come and go for ever where the drawing
    // is smaller than they are wide.
    const QSize view = m_view->maximumViewportSize();
    const double x = view.width() / 2.0 / zoom();
    const double y = view.height() / 2.0 / zoom();
    const Size size = m_paint.layout->size;
    m_view->setSceneRect(QRectF(0, 0, size.width, size.height).adjusted(-x, -y, x, y));
    // Where all of it is in sight there is nowhere to scroll to.
    const bool fits = size.width * zoom() <= view.width() - graph_metrics::gutterWidth &&
                      size.height * zoom() <= view.height();
    const Qt::ScrollBarPolicy policy = fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded;
    m_view->setHorizontalScrollBarPolicy(policy);
    m_view->setVerticalScrollBarPolicy(policy);
}

// Where the middle of the drawing's part of the view is: right of the gutter.
void GraphCamera::centerAt(QPointF scene)
{
    m_view->centerOn(scene);
    panBy(QPoint(graph_metrics::gutterWidth / 2, 0));
}

// Of the drawing's part of the view, without a border on each side. What fits into it has no scroll bars.
QSizeF GraphCamera::room(double borders) const
{
    const QSize view = m_view->maximumViewportSize();
    return {view.width() - graph_metrics::gutterWidth - borders, view.height() - borders};
}

double GraphCamera::fittingZoom() const
{
    const Size size = m_paint.layout->size;
    const bool isPage = m_paint.layout->page.has_value();
    const QSizeF free = isPage ? pageRoom() : room(2.0 * border);
    const double factor =
        std::min(free.width() / std::max(1.0, size.width), free.height() / std::max(1.0, size.height));
    constexpr double leastSeen = 1e-4; // of a view that is hardly there
    return std::clamp(factor, leastSeen, isPage ? page_rules::largestZoom : 1.0);
}

void GraphCamera::fitAll()
{
    if (!m_paint.layout)
        return;
    const Size size = m_paint.layout->size;
    zoomBy(fittingZoom() / zoom(), m_view->viewport()->rect().center());
    centerAt(QPointF(size.width / 2, size.height / 2));
    m_fittedZoom = zoom();
}

bool GraphCamera::showsAll(QSize view) const
{
    const Size size = m_paint.layout->size;
    const QRectF shown = m_view->mapToScene(QRect(QPoint(), view)).boundingRect();
    return shown.contains(QRectF(0, 0, size.width, size.height));
}

bool GraphCamera::isFittedPage(QSize view) const
{
    return m_paint.layout && m_paint.layout->page && zoom() == m_fittedZoom && showsAll(view);
}

void GraphCamera::fitAgain()
{
    if (std::abs(zoom() - fittingZoom()) > 0.001 * zoom() || !showsAll(m_view->viewport()->size()))
        fitAll();
}

void GraphCamera::fitSelection()
{
    const QRectF area = selectedArea();
    if (area.isEmpty())
        return fitAll();
    const QSizeF free = room(4.0 * border);
    const double factor = std::min(free.width() / area.width(), free.height() / area.height());
    zoomBy(std::min(1.5, factor) / zoom(), m_view->viewport()->rect().center());
    centerAt(area.center());
}

void GraphCamera::fitArea(const QRect& pixels)
{
    const QRectF area = m_view->mapToScene(pixels).boundingRect();
    const QRect view = m_view->viewport()->rect();
    zoomBy(std::min(view.width() / area.width(), view.height() / area.height()) / zoom(), view.center());
    centerAt(area.center());
}

void GraphCamera::panBy(QPoint delta)
{
    for (QScrollBar* bar : {m_view->horizontalScrollBar(), m_view->verticalScrollBar()})
        bar->setValue(bar->value() - (bar->orientation() == Qt::Horizontal ? delta.x() : delta.y()));
}

void GraphCamera::scrollTo(const QRectF& area)
{
    if (area.isEmpty())
        return;
    constexpr int margin = 60;
    const QRect pixels = m_view->mapFromScene(area).boundingRect();
    const QRect view = m_view->viewport()->rect().adjusted(graph_metrics::gutterWidth + margin / 2, margin,
                                                           -margin, -margin);
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

void GraphCamera::showReadably(const QRectF& area)
{
    if (area.isEmpty())
        return;
    const QSizeF free = room(4.0 * border);
    const double fitting = std::min(free.width() / area.width(), free.height() / area.height());
    if (zoom() < std::min(smallestOpeningZoom, fitting)) {
        zoomBy(std::min(smallestOpeningZoom, fitting) / zoom(), m_view->viewport()->rect().center());
        centerAt(area.center());
    }
    scrollTo(area);
}

// All of a page. Otherwise the top of the model, as wide as it is or as can still be read, where there is
// most to see.
void GraphCamera::showOpening()
{
    if (m_paint.layout->page) {
        fitAll();
        m_isTouched = false;
        return;
    }
    const Size pixels{std::max(1.0, room(2.0 * border).width()),
                      std::max(1.0, double(m_view->viewport()->height()))};
    const OpeningView opening = openingView(*m_paint.layout, pixels, smallestOpeningZoom, largestOpeningZoom);
    m_view->setTransform(QTransform::fromScale(opening.zoom, opening.zoom));
    updateSceneRect();
    centerAt(QPointF(opening.centerX, 0));
    panBy(QPoint(0, border - m_view->viewport()->height() / 2));
}

void GraphCamera::forget()
{
    m_pinned.reset();
    m_isTouched = false;
}

QPointF GraphCamera::cornerOf(ItemId item) const
{
    const Rect& rect = m_paint.layout->items[item].rect;
    return m_view->mapFromScene(QPointF(rect.x, rect.y));
}

void GraphCamera::pinBox(ItemId id)
{
    const LayoutItem& item = m_paint.layout->items[id];
    touch();
    m_pinned = Pinned{.group = m_paint.layout->tree->boxes[*item.box].group,
                      .first = item.first,
                      .viewportPosition = cornerOf(id)};
}

void GraphCamera::pinNode(NodeId node)
{
    if (const std::optional<ItemId> item = m_paint.layout->itemOf[node])
        m_pinned = Pinned{.node = node, .viewportPosition = cornerOf(*item)};
}

void GraphCamera::pinBoundary(BoundaryId boundary, std::size_t position)
{
    const auto& order = m_paint.layout->tree->order;
    m_pinned.reset();
    pinNode(order[std::min(position, order.size() - 1)]);
    if (!m_pinned)
        m_pinned = Pinned{.viewportPosition = QPointF(0, 0)};
    m_pinned->boundary = boundary;
    m_pinned->viewportPosition.setY(
        m_view->mapFromScene(QPointF(0, positionY(*m_paint.layout, position))).y());
}

std::optional<NodeId> GraphCamera::nodeNearCenter() const
{
    const QRect view = m_view->viewport()->rect();
    const QPointF center = m_view->mapToScene(view.center());
    std::optional<ItemId> nearest;
    double shortest = 0;
    for (const ItemId id : m_scene->itemIdsIn(m_view->mapToScene(view).boundingRect())) {
        const LayoutItem& item = m_paint.layout->items[id];
        const QPointF away = toRect(item.rect).center() - center;
        const double distance = QPointF::dotProduct(away, away);
        if (item.end == item.first || (nearest && shortest <= distance))
            continue;
        nearest = id;
        shortest = distance;
    }
    if (!nearest)
        return {};
    return m_paint.layout->tree->order[m_paint.layout->items[*nearest].first];
}

void GraphCamera::pinCenter()
{
    if (!m_paint.layout)
        return;
    m_wasFitted = isFittedPage(m_view->viewport()->size());
    if (m_pinned)
        return;
    if (const std::optional<NodeId> node = nodeNearCenter())
        pinNode(*node);
}

GraphPlace GraphCamera::place() const
{
    const QPoint middle = m_view->viewport()->rect().center();
    GraphPlace place{.expansion = m_paint.layout->expansion,
                     .zoom = zoom(),
                     .center = m_view->mapToScene(middle),
                     .anchor = nodeNearCenter(),
                     .anchorPosition = {}};
    if (const std::optional<ItemId> item = itemOf(place.anchor))
        place.anchorPosition = cornerOf(*item) - middle;
    return place;
}

void GraphCamera::show(const GraphPlace& place)
{
    touch();
    m_pinned.reset();
    m_view->setTransform(QTransform::fromScale(place.zoom, place.zoom));
    updateSceneRect();
    m_view->centerOn(place.center);
    const QPointF middle = m_view->viewport()->rect().center();
    if (const std::optional<ItemId> item = itemOf(place.anchor))
        panBy((middle + place.anchorPosition - cornerOf(*item)).toPoint());
}

std::optional<ItemId> GraphCamera::itemOf(std::optional<NodeId> node) const
{
    const auto& items = m_paint.layout->itemOf;
    return node && node->index() < items.size() ? items[*node] : std::nullopt;
}

std::optional<ItemId> GraphCamera::pinnedItem() const
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

void GraphCamera::keepPinned()
{
    if (!m_pinned)
        return;
    QPointF now = m_pinned->viewportPosition;
    if (const std::optional<ItemId> item = pinnedItem())
        now = cornerOf(*item);
    const auto& boundary = m_pinned->boundary;
    if (boundary && boundary->index() < m_paint.boundaryCount()) {
        const double y = positionY(*m_paint.layout, m_paint.boundaryPositions[boundary->index()]);
        now.setY(m_view->viewportTransform().map(QPointF(0, y)).y());
    }
    QPointF away = m_pinned->viewportPosition - now;
    if (m_paint.layout->page && !m_pinned->group)
        away.setX(0); // cards of a page go to other lines, while its left edge stays
    panBy(away.toPoint());
}

void GraphCamera::takeDrawing()
{
    updateSceneRect();
    if (!m_paint.layout)
        return;
    m_isTouched ? keepPinned() : showOpening();
    const bool hasOpenedBox = m_pinned && m_pinned->group; // to look at that
    if (m_isTouched && m_wasFitted && m_paint.layout->page && !hasOpenedBox)
        fitAgain();
    m_wasFitted = false;
    m_pinned.reset();
}

void GraphCamera::takeSize(QSize before)
{
    const bool wasFitted = isFittedPage(before);
    if (m_paint.layout && !m_isTouched)
        showOpening();
    updateSceneRect();
    if (m_isTouched && wasFitted)
        fitAgain();
}

} // namespace stagecraft
