// What the mouse and the keys do in the charts.
#include "views/charts/chart_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double grabDistance = 6;    // pixels
constexpr double magnetDistance = 12; // pixels
constexpr double clickDistance = 3;   // pixels: less is a click, not a drag

} // namespace

std::optional<std::size_t> ChartPlot::boundaryAt(const QPointF& position) const
{
    std::optional<std::size_t> nearest;
    double best = grabDistance;
    for (std::size_t i = 0; i < m_boundaryItems.size(); ++i) {
        const double distance = std::abs(position.x() - xToPixel(m_scale.places[m_order.boundaries[i]]));
        const QCPItemText* handle = m_boundaryItems[i].handle;
        const bool onHandle = handle->visible() && position.y() < m_rects.front()->rect().top() &&
                              position.x() >= handle->topLeft->pixelPosition().x() &&
                              position.x() <= handle->bottomRight->pixelPosition().x();
        if (distance <= best || (onHandle && !nearest)) {
            nearest = i;
            best = std::min(best, distance);
        }
    }
    return nearest;
}

std::size_t ChartPlot::draggedPlace(double pixel, Qt::KeyboardModifiers modifiers) const
{
    const auto [first, last] = placesFor(m_order, m_dragged);
    const std::size_t place = std::clamp(m_scale.nearestPlace(pixelToX(pixel)), first, last);
    if (modifiers & Qt::AltModifier)
        return place;
    const auto low = std::clamp(m_scale.nearestPlace(pixelToX(pixel - magnetDistance)), first, place);
    const auto high = std::clamp(m_scale.nearestPlace(pixelToX(pixel + magnetDistance)), place, last);
    return valleyNear(m_across, place, low, high);
}

void ChartPlot::dragBoundaryTo(std::size_t place)
{
    if (place == m_dragPlace)
        return;
    m_dragPlace = place;
    m_order.boundaries[m_dragged] = place; // the line follows at once; the plan's answer comes by setPlan()
    placeBoundaries();
    emit boundaryDragged(BoundaryId(m_dragged), place);
}

void ChartPlot::cancelDrag()
{
    if (m_gesture != Gesture::Boundary)
        return;
    m_gesture = Gesture::None;
    m_order.boundaries[m_dragged] = m_dragStart;
    placeBoundaries();
    emit dragCancelled();
}

void ChartPlot::dropGesture()
{
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    m_rubber->setVisible(false);
    m_ghost->setVisible(false);
    if (gesture == Gesture::Boundary)
        emit dragCancelled();
}

void ChartPlot::mousePressEvent(QMouseEvent* event)
{
    if (!hasCurves())
        return;
    m_pressX = event->position().x();
    m_pressRange = keyAxis()->range();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld)) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton || m_gesture != Gesture::None)
        return;
    if (const auto boundary = boundaryAt(event->position())) {
        m_gesture = Gesture::Boundary;
        m_dragged = *boundary;
        m_dragStart = m_dragPlace = m_order.boundaries[m_dragged];
        m_selection->setBoundary(BoundaryId(m_dragged));
        placeBoundaries();
        return;
    }
    m_gesture = Gesture::Range;
}

void ChartPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (!hasCurves())
        return;
    const double x = event->position().x();
    switch (m_gesture) {
    case Gesture::Boundary:
        return dragBoundaryTo(draggedPlace(x, event->modifiers()));
    case Gesture::Pan: {
        const double shift = m_pressRange.size() * (m_pressX - x) / m_rects.front()->width();
        return zoomTo(m_pressRange.lower + shift, m_pressRange.upper + shift);
    }
    case Gesture::Range: {
        const QRect top = m_rects.front()->rect();
        const auto inside = [&top](double pixel) {
            return std::clamp<double>(pixel, top.left(), top.right());
        };
        m_rubber->setVisible(std::abs(x - m_pressX) > clickDistance);
        m_rubber->topLeft->setType(QCPItemPosition::ptAbsolute);
        m_rubber->bottomRight->setType(QCPItemPosition::ptAbsolute);
        m_rubber->topLeft->setCoords(inside(std::min(x, m_pressX)), top.top());
        m_rubber->bottomRight->setCoords(inside(std::max(x, m_pressX)), m_rects.back()->rect().bottom());
        refresh("selection");
        return;
    }
    case Gesture::None:
        break;
    }
    updateCursor(event->position());
    m_selection->setHovered(m_order.nodes[m_scale.opAt(pixelToX(x))]);
}

void ChartPlot::updateCursor(const QPointF& position)
{
    setCursor(m_spaceHeld ? Qt::OpenHandCursor : boundaryAt(position) ? Qt::SizeHorCursor : Qt::ArrowCursor);
}

void ChartPlot::mouseReleaseEvent(QMouseEvent* event)
{
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    if (gesture == Gesture::Boundary) {
        placeBoundaries();
        if (m_dragPlace != m_dragStart)
            emit boundaryDropped(BoundaryId(m_dragged), m_dragPlace);
    } else if (gesture == Gesture::Range) {
        m_rubber->setVisible(false);
        selectRange(m_pressX, event->position().x(), event->modifiers());
    }
    updateCursor(event->position());
}

void ChartPlot::selectRange(double from, double to, Qt::KeyboardModifiers modifiers)
{
    const bool click = std::abs(to - from) <= clickDistance;
    const std::size_t first = m_scale.opAt(pixelToX(std::min(from, to)));
    const std::size_t last = click ? first : m_scale.opAt(pixelToX(std::max(from, to)));
    std::vector<NodeId> nodes(m_order.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                              m_order.nodes.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    if (modifiers & Qt::ControlModifier)
        nodes.insert(nodes.end(), m_selection->nodes().begin(), m_selection->nodes().end());
    m_selection->setNodes(std::move(nodes));
    refresh("selection");
}

void ChartPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    // The strip above the charts is the gutter: that is where boundaries are made.
    const bool gutter = event->position().y() < m_rects.front()->rect().top();
    if (!hasCurves() || event->button() != Qt::LeftButton)
        return;
    if (gutter && !boundaryAt(event->position()))
        emit splitRequested(m_scale.nearestPlace(pixelToX(event->position().x())));
    else if (!gutter)
        m_selection->reveal(m_selection->nodes());
}

void ChartPlot::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const double steps = (std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier)
        zoom(std::pow(0.8, steps), pixelToX(event->position().x()));
    else
        pan(-steps * 0.1);
    event->accept();
}

void ChartPlot::pan(double share)
{
    const QCPRange range = keyAxis()->range();
    const double size = range.size();
    const double start = std::clamp(range.lower + share * size, 0.0, std::max(0.0, m_scale.end() - size));
    zoomTo(start, start + size);
}

void ChartPlot::zoom(double factor, double center)
{
    const QCPRange range = keyAxis()->range();
    zoomTo(center - (center - range.lower) * factor, center + (range.upper - center) * factor);
}

void ChartPlot::chooseBoundary(int step)
{
    const int count = static_cast<int>(m_boundaryItems.size());
    if (count == 0)
        return;
    const auto chosen = m_selection->boundary();
    const int index = chosen ? static_cast<int>(chosen->index()) + step : step > 0 ? 0 : count - 1;
    m_selection->setBoundary(BoundaryId(static_cast<std::size_t>(std::clamp(index, 0, count - 1))));
}

bool ChartPlot::handleBoundaryKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight) {
        chooseBoundary(key == Qt::Key_BracketLeft ? -1 : 1);
        return true;
    }
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    if (!sideways || !m_selection->boundary())
        return false;
    const auto step = modifiers & Qt::ShiftModifier     ? BoundaryStep::OneModule
                      : modifiers & Qt::ControlModifier ? BoundaryStep::BestNearby
                                                        : BoundaryStep::OnePlace;
    const auto direction = key == Qt::Key_Left ? StageDirection::Previous : StageDirection::Next;
    emit boundaryMoveRequested(*m_selection->boundary(), direction, step);
    return true;
}

void ChartPlot::keyPressEvent(QKeyEvent* event)
{
    if (!hasCurves() || handleBoundaryKey(event->key(), event->modifiers()))
        return;
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return QCustomPlot::keyPressEvent(event);
    const double center = keyAxis()->range().center();
    switch (event->key()) {
    case Qt::Key_Escape:
        if (m_gesture == Gesture::Boundary)
            cancelDrag();
        else
            m_selection->clear();
        break;
    case Qt::Key_W:
    case Qt::Key_Plus:
        zoom(0.8, center);
        break;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoom(1.25, center);
        break;
    case Qt::Key_A:
    case Qt::Key_Left:
        pan(-0.1);
        break;
    case Qt::Key_D:
    case Qt::Key_Right:
        pan(0.1);
        break;
    case Qt::Key_0:
        zoomToAll();
        break;
    case Qt::Key_F:
        zoomToSelection();
        break;
    case Qt::Key_Home:
        pan(-1e9);
        break;
    case Qt::Key_End:
        pan(1e9);
        break;
    case Qt::Key_Space:
        m_spaceHeld = true;
        break;
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

bool ChartPlot::event(QEvent* event)
{
    if (event->type() == QEvent::KeyRelease && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space)
        m_spaceHeld = false;
    // While a line is dragged, Esc belongs to the drag and not to a shortcut of the window.
    if (event->type() == QEvent::ShortcutOverride && m_gesture == Gesture::Boundary &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept();
    return QCustomPlot::event(event);
}

void ChartPlot::leaveEvent(QEvent* event)
{
    m_selection->setHovered({});
    QCustomPlot::leaveEvent(event);
}

} // namespace stagecraft
