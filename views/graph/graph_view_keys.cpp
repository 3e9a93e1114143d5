// GraphView's keys.
#include "views/graph/graph_view.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr double zoomStep = 1.25;

std::optional<WalkDirection> walkDirection(int key)
{
    switch (key) {
    case Qt::Key_Up:
        return WalkDirection::Up;
    case Qt::Key_Down:
        return WalkDirection::Down;
    case Qt::Key_Left:
        return WalkDirection::Left;
    case Qt::Key_Right:
        return WalkDirection::Right;
    default:
        return {};
    }
}

} // namespace

void GraphView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space) {
        m_spaceHeld = true;
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        if (m_gesture != Gesture::None)
            return cancelDrag();
        m_litValues.clear();
        m_paint.current.reset();
        m_selection->clear();
        updateLitEdges();
        return;
    }
    m_isTouched = true;
    if (!m_paint.layout || m_drag || m_boxDrag)
        return;
    if (planKey(event) || boundaryKey(event) || zoomKey(event) || boxKey(event) || walkKey(event))
        return event->accept();
    QGraphicsView::keyPressEvent(event);
}

void GraphView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        m_spaceHeld = false;
    QGraphicsView::keyReleaseEvent(event);
}

// What changes the plan: send, split, remove.
bool GraphView::planKey(QKeyEvent* event)
{
    const auto sending = Qt::ControlModifier | Qt::ShiftModifier;
    const bool isVertical = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (isVertical && (event->modifiers() & sending) == sending) {
        if (!m_selection->nodes().empty())
            emit sendRequested(event->key() == Qt::Key_Up ? StageDirection::Previous : StageDirection::Next);
        return true;
    }
    if (event->key() == Qt::Key_S && event->modifiers() == Qt::NoModifier && !m_selection->nodes().empty()) {
        const auto& positionOf = m_paint.layout->tree->positionOf;
        std::size_t first = positionOf.size();
        for (const NodeId node : m_selection->nodes())
            first = std::min(first, positionOf[node]);
        emit splitRequested(first);
        return true;
    }
    if (event->key() == Qt::Key_Delete && m_selection->boundary()) {
        emit removeRequested(*m_selection->boundary());
        return true;
    }
    return false;
}

bool GraphView::boundaryKey(QKeyEvent* event)
{
    if (event->key() == Qt::Key_BracketLeft || event->key() == Qt::Key_BracketRight) {
        chooseBoundary(event->key() == Qt::Key_BracketLeft ? -1 : 1);
        return true;
    }
    const bool isVertical = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (!isVertical || !m_selection->boundary())
        return false;
    const BoundaryStep step = event->modifiers() & Qt::ShiftModifier     ? BoundaryStep::OneModule
                              : event->modifiers() & Qt::ControlModifier ? BoundaryStep::BestNearby
                                                                         : BoundaryStep::OnePlace;
    emit boundaryMoveRequested(*m_selection->boundary(),
                               event->key() == Qt::Key_Up ? StageDirection::Previous : StageDirection::Next,
                               step);
    return true;
}

void GraphView::chooseBoundary(int step)
{
    const auto count = static_cast<int>(boundaryCount());
    if (count == 0)
        return;
    const std::optional<BoundaryId> chosen = m_selection->boundary();
    const int index = chosen     ? (static_cast<int>(chosen->index()) + step + count) % count
                      : step > 0 ? 0
                                 : count - 1;
    m_selection->setNodes({});
    m_selection->setBoundary(BoundaryId(static_cast<std::size_t>(index)));
    const double y = positionY(*m_paint.layout, m_paint.boundaryPositions[static_cast<std::size_t>(index)]);
    const QRectF shown = mapToScene(viewport()->rect()).boundingRect();
    const double around = viewport()->height() / 4.0 / zoom(); // what is on both sides is to be seen, too
    scrollTo(QRectF(shown.left() + 1, y - around, shown.width() - 2, 2 * around));
}

bool GraphView::zoomKey(QKeyEvent* event)
{
    const QPoint center = viewport()->rect().center();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(zoomStep, center);
        return true;
    case Qt::Key_Minus:
        zoomBy(1 / zoomStep, center);
        return true;
    case Qt::Key_0:
        event->modifiers() & Qt::ControlModifier ? actualSize() : fitAll();
        return true;
    case Qt::Key_Home:
        verticalScrollBar()->setValue(verticalScrollBar()->minimum() + viewport()->height() / 2);
        return true;
    case Qt::Key_End:
        verticalScrollBar()->setValue(verticalScrollBar()->maximum() - viewport()->height() / 2);
        return true;
    case Qt::Key_F:
        if (event->modifiers() & Qt::ControlModifier)
            return false;
        fitSelection();
        return true;
    default:
        return false;
    }
}

bool GraphView::boxKey(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const std::optional<ItemId> current = m_paint.current;
    if (isEnter && !(event->modifiers() & Qt::ControlModifier) && hasBoxSelected()) {
        toggleSelected(event->modifiers() & Qt::AltModifier ? Depth::All : Depth::One);
        return true;
    }
    if (event->key() == Qt::Key_Backspace && current) {
        const std::optional<ItemId> parent = m_paint.layout->items[*current].parent;
        if (parent && m_paint.layout->items[*parent].kind == ItemKind::OpenBox)
            makeCurrent(*parent);
        return true;
    }
    if (event->key() == Qt::Key_E && !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
        event->modifiers() & Qt::ShiftModifier ? collapseAll() : expandAll();
        return true;
    }
    return false;
}

// Along edges from what is selected; without a selection arrows scroll.
bool GraphView::walkKey(QKeyEvent* event)
{
    const std::optional<WalkDirection> direction = walkDirection(event->key());
    const bool isInOrder = event->key() == Qt::Key_Comma || event->key() == Qt::Key_Period;
    if (isInOrder && m_paint.current) {
        const WalkDirection way = event->key() == Qt::Key_Comma ? WalkDirection::Left : WalkDirection::Right;
        if (const auto next = nextInOrder(*m_paint.layout, *m_paint.current, way))
            makeCurrent(*next);
        return true;
    }
    if (!direction || !m_paint.current)
        return false;
    if (const auto next = walk(*m_paint.layout, *m_paint.current, *direction))
        makeCurrent(*next);
    return true;
}

void GraphView::makeCurrent(ItemId item)
{
    m_paint.current = item;
    m_selection->setBoundary({});
    m_selection->setNodes(nodesShownBy(*m_paint.layout, item));
    m_paint.current = item;
    scrollTo(toRect(m_paint.layout->items[item].rect));
    viewport()->update();
}

} // namespace stagecraft
