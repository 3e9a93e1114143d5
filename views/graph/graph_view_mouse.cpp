// GraphView's gestures with the mouse.
#include "views/graph/graph_scene.h"
#include "views/graph/graph_tooltip.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QRubberBand>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr int lineReach = 5; // pixels from a line that still grab it
constexpr double edgeReach = 4;

Qt::CursorShape cursorOf(bool isOnBoundary)
{
    return isOnBoundary ? Qt::SplitVCursor : Qt::ArrowCursor;
}

} // namespace

std::optional<BoundaryId> GraphView::boundaryAt(QPoint position) const
{
    const std::vector<BoundaryMark> marks = boundaryMarks();
    for (const BoundaryMark& mark : marks)
        if (mark.hasHandle && handleRect(mark, font()).contains(position))
            return mark.boundary;
    for (const BoundaryMark& mark : marks)
        if (std::abs(mark.y - position.y()) <= lineReach && position.x() > graph_metrics::gutterWidth)
            return mark.boundary;
    return {};
}

std::optional<ItemId> GraphView::itemAtPixel(QPoint position) const
{
    if (!m_paint.layout || position.x() < graph_metrics::gutterWidth)
        return {};
    return m_scene->itemIdAt(mapToScene(position));
}

// Does a press here mean the item, and not the empty space inside an open box?
bool GraphView::isGrip(ItemId id, QPoint position) const
{
    const LayoutItem& item = m_paint.layout->items[id];
    return item.kind != ItemKind::OpenBox ||
           mapToScene(position).y() < item.rect.y + 24 / std::min(1.0, zoom());
}

void GraphView::hoverAt(QPoint position)
{
    const std::optional<BoundaryId> boundary = boundaryAt(position);
    std::optional<ItemId> item = boundary ? std::nullopt : itemAtPixel(position);
    if (item && !isGrip(*item, position))
        item.reset();
    viewport()->setCursor(cursorOf(boundary.has_value()));
    if (boundary == m_hoveredBoundary && item == m_paint.hovered)
        return;
    m_hoveredBoundary = boundary;
    m_selection->setHovered(item ? m_paint.layout->items[*item].node : std::nullopt);
    m_paint.hovered = item;
    updateLitEdges();
    viewport()->update();
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    m_isTouched = true;
    QToolTip::hideText();
    m_pressed = m_last = event->position().toPoint();
    const bool isPan =
        event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld);
    if (isPan) {
        m_gesture = Gesture::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton && m_gesture == Gesture::None) {
        startGesture(event);
    }
    event->accept();
}

void GraphView::startGesture(QMouseEvent* event)
{
    const std::optional<BoundaryId> boundary = boundaryAt(m_pressed);
    if (event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier) && !boundary) {
        m_gesture = event->modifiers() & Qt::ShiftModifier ? Gesture::SelectArea : Gesture::ZoomArea;
        return;
    }
    if (boundary) {
        m_selection->setBoundary(boundary);
        startBoundaryDrag(*boundary);
        return;
    }
    m_gesture = Gesture::Click;
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    m_lastModifiers = event->modifiers();
    const bool isFar = (position - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    switch (m_gesture) {
    case Gesture::None:
        hoverAt(position);
        break;
    case Gesture::Click:
        if (isFar)
            movePressed(position);
        break;
    case Gesture::Pan:
        panBy(position - m_last);
        break;
    case Gesture::Boundary:
        if (isFar || m_drag->position() != m_drag->start())
            dragBoundaryTo(position, event->modifiers());
        break;
    case Gesture::Boxes:
        dragBoxesTo(position);
        break;
    case Gesture::SelectArea:
    case Gesture::ZoomArea:
        if (m_rubberBand || isFar)
            stretchRubberBand(position);
        break;
    }
    m_last = position;
    event->accept();
}

// A press that became a drag: of what is under it, or of the whole picture.
void GraphView::movePressed(QPoint position)
{
    if (const std::optional<ItemId> item = draggableAt(m_pressed)) {
        startBoxDrag(*item);
        return dragBoxesTo(position);
    }
    m_gesture = Gesture::Pan;
    viewport()->setCursor(Qt::ClosedHandCursor);
    panBy(position - m_last);
}

void GraphView::stretchRubberBand(QPoint position)
{
    if (!m_rubberBand)
        m_rubberBand = std::make_unique<QRubberBand>(QRubberBand::Rectangle, viewport());
    m_rubberBand->setGeometry(QRect(m_pressed, position).normalized());
    m_rubberBand->show();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    const Gesture gesture = m_gesture;
    if (gesture == Gesture::Boundary)
        return endBoundaryDrag();
    if (gesture == Gesture::Boxes)
        return endBoxDrag();
    m_gesture = Gesture::None;
    const std::unique_ptr<QRubberBand> rubberBand = std::move(m_rubberBand);
    if (gesture == Gesture::Click || (!rubberBand && gesture != Gesture::Pan && gesture != Gesture::None)) {
        clickAt(position, event->modifiers());
    } else if (rubberBand && gesture == Gesture::SelectArea) {
        selectArea(rubberBand->geometry(), event->modifiers());
    } else if (rubberBand && gesture == Gesture::ZoomArea) {
        const QRectF area = mapToScene(rubberBand->geometry()).boundingRect();
        zoomBy(std::min(viewport()->width() / area.width(), viewport()->height() / area.height()) / zoom(),
               viewport()->rect().center());
        centerAt(area.center());
    }
    hoverAt(position);
    event->accept();
}

void GraphView::clickAt(QPoint position, Qt::KeyboardModifiers modifiers)
{
    m_litValues.clear();
    const std::optional<ItemId> item = itemAtPixel(position);
    const bool adds = modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
    if (item && isGrip(*item, position)) {
        const LayoutItem& clicked = m_paint.layout->items[*item];
        const double shift = clicked.kind == ItemKind::OpenBox && zoom() >= detail_scale::names
                                 ? titleLeft(m_paint, clicked) - clicked.rect.x
                                 : 0;
        if (clicked.box && chevronRect(clicked).translated(shift, 0).contains(mapToScene(position)) &&
            zoom() > 0.3)
            return toggleBox(*item, Depth::One);
        std::vector<NodeId> nodes = nodesShownBy(*m_paint.layout, *item);
        if (clicked.value)
            m_litValues.push_back(*clicked.value);
        if (adds) {
            const bool isSelected = m_paint.selected[*item] != 0;
            std::vector<NodeId> all = m_selection->nodes();
            for (const NodeId node : nodes) {
                std::erase(all, node);
                if (!isSelected)
                    all.push_back(node);
            }
            nodes = std::move(all);
        }
        m_paint.current = item;
        m_selection->setBoundary({});
        m_selection->setNodes(std::move(nodes));
    } else if (const auto edge = m_paint.layout ? m_scene->edgeAt(mapToScene(position), edgeReach / zoom())
                                                : std::nullopt) {
        m_litValues = m_paint.layout->edges[*edge].values;
        m_selection->setBoundary({});
        std::vector<NodeId> ends;
        for (const ValueId value : m_litValues)
            if (const auto producer = (*m_paint.layout->graph)[value].producer)
                ends.push_back(*producer);
        m_selection->setNodes(std::move(ends));
    } else if (!adds) {
        m_paint.current.reset();
        m_selection->setBoundary({});
        m_selection->setNodes({});
    }
    updateLitEdges();
    viewport()->update();
}

void GraphView::selectArea(const QRect& area, Qt::KeyboardModifiers modifiers)
{
    if (!m_paint.layout)
        return;
    std::vector<NodeId> nodes;
    if (modifiers & Qt::ControlModifier)
        nodes = m_selection->nodes();
    for (const ItemId item : m_scene->itemIdsIn(mapToScene(area).boundingRect())) {
        const std::vector<NodeId> shown = nodesShownBy(*m_paint.layout, item);
        nodes.insert(nodes.end(), shown.begin(), shown.end());
    }
    m_selection->setNodes(std::move(nodes));
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (event->button() != Qt::LeftButton || boundaryAt(position))
        return mousePressEvent(event);
    if (m_paint.layout && position.x() < graph_metrics::gutterWidth) {
        const double y = mapToScene(position).y();
        const auto& heights = m_paint.layout->placeY;
        const auto below = std::ranges::lower_bound(heights, y);
        emit splitRequested(static_cast<std::size_t>(std::min(below, heights.end() - 1) - heights.begin()));
        return;
    }
    const std::optional<ItemId> item = itemAtPixel(position);
    if (item && m_paint.layout->items[*item].box)
        toggleBox(*item, event->modifiers() & Qt::AltModifier ? Depth::All : Depth::One);
}

void GraphView::toggleBox(ItemId id, Depth depth)
{
    const LayoutItem& item = m_paint.layout->items[id];
    if (item.kind != ItemKind::OpenBox && item.kind != ItemKind::ClosedBox)
        return;
    const RunTree& tree = *m_paint.layout->tree;
    Expansion expansion = m_paint.layout->expansion;
    if (item.kind == ItemKind::ClosedBox)
        depth == Depth::All ? expansion.openBelow(tree, *item.box) : expansion.open(tree, *item.box);
    else
        depth == Depth::All ? expansion.closeBelow(tree, *item.box) : expansion.close(tree, *item.box);
    m_isTouched = true;
    m_pinned = Pinned{.group = tree.boxes[*item.box].group,
                      .first = item.first,
                      .viewportPosition = QPointF(mapFromScene(QPointF(item.rect.x, item.rect.y)))};
    emit expansionRequested(expansion);
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    m_isTouched = true;
    if (event->modifiers() & Qt::ControlModifier) {
        zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position().toPoint());
        event->accept();
        return;
    }
    QPoint delta = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    if (event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier) && delta.x() == 0)
        delta = QPoint(delta.y(), 0);
    panBy(delta);
    if (m_drag)
        dragBoundaryTo(event->position().toPoint(), event->modifiers());
    if (m_boxDrag)
        dragBoxesTo(event->position().toPoint());
    event->accept();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event)
{
    MenuSubject subject = MenuSubject::View;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        subject = m_selection->boundary()         ? MenuSubject::Boundary
                  : !m_selection->nodes().empty() ? MenuSubject::Ops
                                                  : MenuSubject::View;
    } else if (const std::optional<BoundaryId> boundary = boundaryAt(event->pos())) {
        m_selection->setNodes({});
        m_selection->setBoundary(boundary);
        subject = MenuSubject::Boundary;
    } else if (const auto item = itemAtPixel(event->pos()); item && isGrip(*item, event->pos())) {
        if (m_paint.selected[*item] == 0)
            clickAt(event->pos(), {});
        m_paint.current = item;
        subject = m_selection->nodes().empty() ? MenuSubject::View : MenuSubject::Ops;
    }
    emit menuRequested(subject, event->globalPos());
    event->accept();
}

bool GraphView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_gesture != Gesture::None || !m_paint.layout)
        return QGraphicsView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    const std::optional<ItemId> item = itemAtPixel(help->pos());
    if (const auto boundary = boundaryAt(help->pos()))
        text = boundaryTooltip(m_paint.plan, *boundary);
    else if (item && isGrip(*item, help->pos()))
        text = itemTooltip(*m_paint.layout, m_paint.plan, *item);
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

} // namespace stagecraft
