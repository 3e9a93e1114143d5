#include "views/graph/graph_gestures.h"

#include "views/base/widgets.h"

#include <QApplication>
#include <QGraphicsView>
#include <QMouseEvent>
#include <QPointer>
#include <QRubberBand>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr int scrollBorder = 36; // pixels from the edge of the view where a drag scrolls

} // namespace

GraphGestures::GraphGestures(QGraphicsView* view, Selection* selection, GraphCamera& camera,
                             GraphPointer& pointer, const BoundaryLines& lines,
                             BoundaryDragController& boundaryDrag, BoxDragController& boxDrag)
    : m_view(view),
      m_selection(selection),
      m_camera(camera),
      m_pointer(pointer),
      m_lines(lines),
      m_boundaryDrag(boundaryDrag),
      m_boxDrag(boxDrag)
{
    m_edgeScroll.setInterval(16);
    connect(&m_edgeScroll, &QTimer::timeout, this, &GraphGestures::scrollAtEdges);
    filterEvents(view, [self = QPointer(this)](const QEvent* event) {
        if (self && event->type() == QEvent::FocusOut) // another widget hears of what is let go then
            self->setSpaceHeld(false);
        return false;
    });
}

GraphGestures::~GraphGestures() = default;

bool GraphGestures::isFar(QPoint pixel) const
{
    return (pixel - m_pressed).manhattanLength() >= QApplication::startDragDistance();
}

void GraphGestures::press(const QMouseEvent& event)
{
    if (isUnderWay())
        return; // another button
    m_pressed = m_last = event.position().toPoint();
    m_button = event.button();
    m_gesture = begun(event);
}

GraphGestures::Gesture GraphGestures::begun(const QMouseEvent& event)
{
    const bool isLeft = event.button() == Qt::LeftButton;
    if (event.button() == Qt::MiddleButton || (isLeft && m_isSpaceHeld)) {
        m_view->viewport()->setCursor(Qt::ClosedHandCursor);
        return Gesture::Pan;
    }
    if (!isLeft)
        return Gesture::None;
    if (const std::optional<BoundaryId> boundary = m_lines.at(m_pressed)) {
        m_selection->setBoundary(boundary);
        m_boundaryDrag.start(*boundary,
                             m_pressed.y() - static_cast<int>(std::lround(m_lines.yOf(*boundary))));
        m_edgeScroll.start();
        return Gesture::Boundary;
    }
    return event.modifiers() & Qt::ShiftModifier     ? Gesture::SelectArea
           : event.modifiers() & Qt::ControlModifier ? Gesture::ZoomArea
                                                     : Gesture::Click;
}

void GraphGestures::move(const QMouseEvent& event)
{
    const QPoint pixel = event.position().toPoint();
    m_lastModifiers = event.modifiers();
    switch (m_gesture) {
    case Gesture::None:
        m_pointer.hoverAt(pixel);
        break;
    case Gesture::Click:
        if (isFar(pixel))
            movePressed(pixel);
        break;
    case Gesture::Pan:
        m_camera.panBy(pixel - m_last);
        break;
    case Gesture::Boundary:
        if (isFar(pixel) || m_boundaryDrag.hasMoved())
            dragTo(pixel, event.modifiers());
        break;
    case Gesture::Boxes:
        dragTo(pixel, event.modifiers());
        break;
    case Gesture::SelectArea:
    case Gesture::ZoomArea:
        if (m_rubberBand || isFar(pixel))
            stretchRubberBand(pixel);
        break;
    }
    m_last = pixel;
}

// A press that became a drag: of what is under it, or of the whole picture.
void GraphGestures::movePressed(QPoint pixel)
{
    if (const std::optional<ItemId> item = m_pointer.draggableAt(m_pressed)) {
        m_gesture = Gesture::Boxes;
        m_boxDrag.start(*item, m_pressed);
        m_edgeScroll.start();
        return m_boxDrag.moveTo(pixel);
    }
    m_gesture = Gesture::Pan;
    m_view->viewport()->setCursor(Qt::ClosedHandCursor);
    m_camera.panBy(pixel - m_last);
}

void GraphGestures::dragTo(QPoint pixel, Qt::KeyboardModifiers modifiers)
{
    if (m_gesture == Gesture::Boundary)
        m_boundaryDrag.moveTo(pixel, modifiers);
    if (m_gesture == Gesture::Boxes)
        m_boxDrag.moveTo(pixel);
}

void GraphGestures::stretchRubberBand(QPoint pixel)
{
    if (!m_rubberBand)
        m_rubberBand = std::make_unique<QRubberBand>(QRubberBand::Rectangle, m_view->viewport());
    m_rubberBand->setGeometry(QRect(m_pressed, pixel).normalized());
    m_rubberBand->show();
}

void GraphGestures::release(const QMouseEvent& event)
{
    if (isUnderWay() && event.button() != m_button)
        return; // another one
    const QPoint pixel = event.position().toPoint();
    if (isDragging())
        return dropDrag();
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    const std::unique_ptr<QRubberBand> rubberBand = std::move(m_rubberBand);
    if (rubberBand && gesture == Gesture::SelectArea)
        m_pointer.selectArea(rubberBand->geometry(), event.modifiers());
    else if (rubberBand && gesture == Gesture::ZoomArea)
        m_camera.fitArea(rubberBand->geometry());
    else if (gesture != Gesture::Pan && gesture != Gesture::None)
        m_pointer.clickAt(pixel, event.modifiers());
    m_pointer.hoverAt(pixel);
}

void GraphGestures::dropDrag()
{
    m_edgeScroll.stop();
    if (std::exchange(m_gesture, Gesture::None) == Gesture::Boundary)
        return m_boundaryDrag.drop();
    m_boxDrag.drop();
    m_pointer.hoverAt(m_last);
}

void GraphGestures::cancel()
{
    m_edgeScroll.stop();
    m_rubberBand.reset();
    if (isDragging())
        m_view->viewport()->setCursor(Qt::ArrowCursor);
    m_gesture = Gesture::None;
    m_boundaryDrag.cancel();
    m_boxDrag.cancel();
}

void GraphGestures::scrollAtEdges()
{
    if (!isDragging() || !isFar(m_last))
        return;
    const int below = m_last.y() - m_view->viewport()->height() + scrollBorder;
    const int speed = m_last.y() < scrollBorder ? (m_last.y() - scrollBorder) / 2 : std::max(0, below) / 2;
    if (speed == 0)
        return;
    QScrollBar* bar = m_view->verticalScrollBar();
    bar->setValue(bar->value() + speed);
    dragTo(m_last, m_lastModifiers);
}

} // namespace stagecraft
