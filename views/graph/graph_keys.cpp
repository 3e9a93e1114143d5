#include "views/graph/graph_keys.h"

#include "views/base/boundary_keys.h"
#include "views/graph/graph_navigation.h"
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

std::optional<StageDirection> stageDirection(int key)
{
    return key == Qt::Key_Up     ? std::optional(StageDirection::Previous)
           : key == Qt::Key_Down ? std::optional(StageDirection::Next)
                                 : std::nullopt;
}

} // namespace

GraphKeys::GraphKeys(GraphView* view, GraphPaint& paint, Selection* selection)
    : m_view(view), m_paint(paint), m_selection(selection)
{
}

bool GraphKeys::press(const QKeyEvent& event)
{
    return pressPlanKey(event) || pressBoundaryKey(event) || pressZoomKey(event) || pressBoxKey(event) ||
           pressWalkKey(event);
}

// What changes the plan: send, split, remove.
bool GraphKeys::pressPlanKey(const QKeyEvent& event)
{
    const std::vector<NodeId>& nodes = m_selection->nodes();
    const auto sending = Qt::ControlModifier | Qt::ShiftModifier;
    const auto direction = stageDirection(event.key());
    if (direction && (event.modifiers() & sending) == sending) {
        if (!nodes.empty())
            emit m_view->sendRequested(*direction);
        return true;
    }
    if (event.key() == Qt::Key_S && event.modifiers() == Qt::NoModifier && !nodes.empty()) {
        const auto& positionOf = m_paint.layout->tree->positionOf;
        std::size_t first = positionOf.size();
        for (const NodeId node : nodes)
            first = std::min(first, positionOf[node]);
        emit m_view->splitRequested(first);
        return true;
    }
    if (event.key() == Qt::Key_Delete && m_selection->boundary()) {
        emit m_view->removeRequested(*m_selection->boundary());
        return true;
    }
    return false;
}

bool GraphKeys::pressBoundaryKey(const QKeyEvent& event)
{
    if (event.key() == Qt::Key_BracketLeft || event.key() == Qt::Key_BracketRight) {
        m_view->chooseBoundary(event.key() == Qt::Key_BracketLeft ? -1 : 1);
        return true;
    }
    const auto direction = stageDirection(event.key());
    if (!direction || !m_selection->boundary())
        return false;
    emit m_view->boundaryMoveRequested(*m_selection->boundary(), *direction,
                                       boundaryStepOf(event.modifiers()));
    return true;
}

bool GraphKeys::pressZoomKey(const QKeyEvent& event)
{
    const QPoint center = m_view->viewport()->rect().center();
    QScrollBar* bar = m_view->verticalScrollBar();
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_view->zoomBy(zoomStep, center);
        return true;
    case Qt::Key_Minus:
        m_view->zoomBy(1 / zoomStep, center);
        return true;
    case Qt::Key_0:
        event.modifiers() & Qt::ControlModifier ? m_view->actualSize() : m_view->fitAll();
        return true;
    case Qt::Key_Home:
        bar->setValue(bar->minimum() + m_view->viewport()->height() / 2);
        return true;
    case Qt::Key_End:
        bar->setValue(bar->maximum() - m_view->viewport()->height() / 2);
        return true;
    case Qt::Key_F:
        if (event.modifiers() & Qt::ControlModifier)
            return false;
        m_view->fitSelection();
        return true;
    default:
        return false;
    }
}

bool GraphKeys::pressBoxKey(const QKeyEvent& event)
{
    const bool isEnter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
    const std::optional<ItemId> current = m_paint.current;
    if (isEnter && !(event.modifiers() & Qt::ControlModifier) && m_view->hasBoxSelected()) {
        m_view->toggleSelected(event.modifiers() & Qt::AltModifier ? GraphView::Depth::All
                                                                   : GraphView::Depth::One);
        return true;
    }
    if (event.key() == Qt::Key_Backspace && current) {
        const std::optional<ItemId> parent = m_paint.layout->items[*current].parent;
        if (parent && m_paint.layout->items[*parent].kind == ItemKind::OpenBox)
            m_view->makeCurrent(*parent);
        return true;
    }
    if (event.key() == Qt::Key_E && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
        event.modifiers() & Qt::ShiftModifier ? m_view->collapseAll() : m_view->expandAll();
        return true;
    }
    return false;
}

// Along edges from what is selected, or in the order of running; without a selection arrows scroll.
bool GraphKeys::pressWalkKey(const QKeyEvent& event)
{
    if (!m_paint.current)
        return false;
    const Layout& layout = *m_paint.layout;
    std::optional<ItemId> next;
    if (const auto direction = walkDirection(event.key()))
        next = walk(layout, *m_paint.current, *direction);
    else if (event.key() == Qt::Key_Comma)
        next = nextInOrder(layout, *m_paint.current, WalkDirection::Left);
    else if (event.key() == Qt::Key_Period)
        next = nextInOrder(layout, *m_paint.current, WalkDirection::Right);
    else
        return false;
    if (next)
        m_view->makeCurrent(*next);
    return true;
}

} // namespace stagecraft
