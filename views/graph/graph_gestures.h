// GraphGestures: what the person does with the mouse in the graph, from press to release.
//
//     press on a boundary             drags it
//     on an op, a box or its title    a click, or a drag to another stage
//     on nothing                      a click, or pans; with the middle button or Space: pans
//     with Shift, Ctrl                a click, or selects an area, zooms to one
#pragma once

#include "views/graph/box_drag_controller.h"
#include "views/graph/graph_camera.h"
#include "views/graph/graph_pointer.h"

#include <QTimer>

#include <memory>

class QMouseEvent;
class QRubberBand;

namespace stagecraft {

class GraphGestures : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    GraphGestures(QGraphicsView* view, Selection* selection, GraphCamera& camera, GraphPointer& pointer,
                  const BoundaryLines& lines, BoundaryDragController& boundaryDrag,
                  BoxDragController& boxDrag);
    ~GraphGestures() override;

    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    // What is dragged, if anything is: also where the drawing was scrolled below the pointer.
    void dragTo(QPoint pixel, Qt::KeyboardModifiers modifiers);
    // Gives up whatever goes on, without effect.
    void cancel();
    bool isUnderWay() const { return m_gesture != Gesture::None; }
    bool isDragging() const { return m_gesture == Gesture::Boundary || m_gesture == Gesture::Boxes; }
    void setSpaceHeld(bool isHeld) { m_isSpaceHeld = isHeld; }

private:
    enum class Gesture { None, Click, Pan, Boundary, Boxes, SelectArea, ZoomArea };
    Gesture begun(const QMouseEvent& event);
    void movePressed(QPoint pixel);
    void dropDrag();
    void stretchRubberBand(QPoint pixel);
    void scrollAtEdges();
    bool isFar(QPoint pixel) const; // from where it was pressed

    QGraphicsView* m_view;
    Selection* m_selection;
    GraphCamera& m_camera;
    GraphPointer& m_pointer;
    const BoundaryLines& m_lines;
    BoundaryDragController& m_boundaryDrag;
    BoxDragController& m_boxDrag;
    Gesture m_gesture = Gesture::None;
    Qt::MouseButton m_button = Qt::NoButton; // that began it
    QPoint m_pressed;
    QPoint m_last;
    Qt::KeyboardModifiers m_lastModifiers;
    bool m_isSpaceHeld = false;
    QTimer m_edgeScroll;
    std::unique_ptr<QRubberBand> m_rubberBand;
};

} // namespace stagecraft
