// GraphView's drags: of a boundary, and of boxes to another stage.
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr int magnetReach = 14;  // pixels
constexpr int scrollBorder = 36; // pixels from the edge of the view where a drag scrolls

} // namespace

void GraphView::startBoundaryDrag(BoundaryId boundary)
{
    const std::size_t start = m_paint.boundaryPositions[boundary.index()];
    std::vector<std::size_t> legal;
    if (m_legal) {
        legal = m_legal(boundary);
    } else {
        const auto& positions = m_paint.boundaryPositions;
        const std::size_t first = boundary.index() > 0 ? positions[boundary.index() - 1] + 1 : 1;
        const std::size_t last = boundary.index() + 1 < positions.size() ? positions[boundary.index() + 1]
                                                                         : m_paint.layout->graph->nodeCount();
        for (std::size_t position = first; position < last; ++position)
            legal.push_back(position);
    }
    m_gesture = Gesture::Boundary;
    m_grabOffset = m_pressed.y() - static_cast<int>(std::lround(boundaryMark(boundary).y));
    m_costBeforeDrag = m_paint.plan.cost;
    m_drag.emplace(*m_paint.layout, boundary, start, std::move(legal),
                   bytesAcross(*m_paint.layout, m_paint.plan.profile.get()));
    m_edgeScroll.start();
    updateLitEdges();
    viewport()->update();
}

void GraphView::dragBoundaryTo(QPoint position, Qt::KeyboardModifiers modifiers)
{
    if (!m_drag->canMove()) {
        viewport()->setCursor(Qt::ForbiddenCursor);
        const bool isLocked = boundaryMark(m_drag->boundary()).isLocked;
        QToolTip::showText(viewport()->mapToGlobal(position),
                           isLocked ? tr("This boundary is locked; L unlocks it")
                                    : tr("This boundary cannot move: what is beside it belongs together"),
                           viewport());
        return;
    }
    const Magnet magnet = modifiers & Qt::AltModifier ? Magnet::Off : Magnet::On;
    const double y = mapToScene(position - QPoint(0, m_grabOffset)).y();
    if (!m_drag->moveTo(y, magnet, magnetReach / zoom()))
        return;
    updateLitEdges();
    viewport()->update();
    emit boundaryDragged(m_drag->boundary(), m_drag->position());
}

void GraphView::endBoundaryDrag()
{
    m_edgeScroll.stop();
    const BoundaryDrag drag = *std::exchange(m_drag, std::nullopt);
    m_gesture = Gesture::None;
    if (drag.position() == drag.start()) {
        emit dragCancelled();
    } else {
        pinBoundary(drag.boundary(), drag.position());
        emit boundaryDropped(drag.boundary(), drag.position());
    }
    updateLitEdges();
    viewport()->update();
}

// What a drag can send to another stage; nothing where there is only one.
std::optional<ItemId> GraphView::draggableAt(QPoint position) const
{
    if (boundaryCount() == 0)
        return {};
    const std::optional<ItemId> item = itemAtPixel(position);
    if (!item || !isGrip(*item, position))
        return {};
    const ItemKind kind = m_paint.layout->items[*item].kind;
    const bool hasNodes = kind == ItemKind::Op || kind == ItemKind::ClosedBox || kind == ItemKind::OpenBox;
    return hasNodes ? item : std::nullopt;
}

// What is selected goes along if it was part of the selection; otherwise it becomes the selection.
void GraphView::startBoxDrag(ItemId item)
{
    std::vector<NodeId> nodes = nodesShownBy(*m_paint.layout, item);
    const bool isSelected =
        std::ranges::all_of(nodes, [&](NodeId node) { return m_selection->contains(node); });
    if (isSelected) {
        nodes = m_selection->nodes();
    } else {
        m_paint.current = item;
        m_selection->setBoundary({});
        m_selection->setNodes(nodes);
    }
    m_gesture = Gesture::Boxes;
    m_boxDrag.emplace(*m_paint.layout, m_paint.plan, item, nodes);
    viewport()->setCursor(Qt::ClosedHandCursor);
    m_edgeScroll.start();
}

// Which stage the pointer is over; the lines stand still while boxes are dragged.
StageId GraphView::stageAtPixel(int y) const
{
    std::size_t stage = 0;
    while (stage < boundaryCount() && boundaryMark(BoundaryId(stage)).y <= y)
        ++stage;
    return StageId(stage);
}

void GraphView::dragBoxesTo(QPoint position)
{
    m_last = position;
    if (m_boxDrag->moveTo(stageAtPixel(position.y())))
        emit boxesDragged(m_boxDrag->nodes(), *m_boxDrag->target());
    viewport()->setCursor(m_boxDrag->isRefused() ? Qt::ForbiddenCursor : Qt::ClosedHandCursor);
    viewport()->update();
}

void GraphView::refuseBoxDrag(const QString& why)
{
    if (m_boxDrag)
        m_boxDrag->refuse(why);
}

void GraphView::endBoxDrag()
{
    m_edgeScroll.stop();
    const BoxDrag drag = *std::exchange(m_boxDrag, std::nullopt);
    m_gesture = Gesture::None;
    if (drag.target() && drag.wouldMove(*drag.target()))
        emit boxesDropped(drag.nodes(), *drag.target());
    else
        emit dragCancelled();
    hoverAt(m_last);
    viewport()->update();
}

void GraphView::cancelDrag()
{
    m_edgeScroll.stop();
    m_rubberBand.reset();
    m_gesture = Gesture::None;
    if (!m_drag && !m_boxDrag)
        return;
    m_drag.reset();
    m_boxDrag.reset();
    emit dragCancelled();
    viewport()->setCursor(Qt::ArrowCursor);
    updateLitEdges();
    viewport()->update();
}

void GraphView::scrollAtEdges()
{
    if ((!m_drag && !m_boxDrag) || (m_last - m_pressed).manhattanLength() < QApplication::startDragDistance())
        return;
    int speed = 0;
    if (m_last.y() < scrollBorder)
        speed = (m_last.y() - scrollBorder) / 2;
    else if (m_last.y() > viewport()->height() - scrollBorder)
        speed = (m_last.y() - viewport()->height() + scrollBorder) / 2;
    if (speed == 0)
        return;
    verticalScrollBar()->setValue(verticalScrollBar()->value() + speed);
    m_drag ? dragBoundaryTo(m_last, m_lastModifiers) : dragBoxesTo(m_last);
}

} // namespace stagecraft
