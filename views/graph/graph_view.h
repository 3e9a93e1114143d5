// GraphView: the model as a graph, with the stages as bands and their boundaries as lines that can be
// dragged.
//
// It shows a Layout that the application computes in the background; the old one stays until the new one is
// handed over, and what was clicked stays where it was on the screen. While a boundary is dragged nothing is
// laid out: the line snaps to legal places, its old place stays as a ghost, operators change colour, the
// tensors that would cross light up. An operator or a box that is dragged over a boundary is sent to the
// stage where it is dropped, with all that is selected if it is; a card at the pointer says what must follow,
// or why it cannot be.
//
//     drag of an op, a box's title, a boundary or its handle  as above; Esc gives up
//     wheel  scroll      Ctrl+wheel  zoom       drag on nothing, middle drag, Space+drag  pan
//     click  select      double click  open or close a box (Alt: all below)
//     Shift+drag  select an area                Ctrl+drag  zoom to an area
//     arrows  walk along edges   Enter  open, close   Backspace  the box around
//     E, Shift+E  open, close all   F  frame what is selected   0  fit all   Ctrl+0  100 %   + -  zoom
//     [ ]  choose a boundary; Up, Down move it by one place, Shift by a module, Ctrl to the best one nearby
//     S  split before what is selected   Delete  remove the boundary
//     Ctrl+Shift+Up, Down  send to the stage before or after
#pragma once

#include "views/base/selection.h"
#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_box_drag.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_overlay.h"
#include "views/graph/graph_paint.h"

#include <QGraphicsView>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

class QRubberBand;

namespace stagecraft {

class GraphScene;

class GraphView : public QGraphicsView
{
    Q_OBJECT

public:
    enum class Depth { One, All };
    enum class MenuSubject { View, Ops, Boundary };

    explicit GraphView(Selection* selection, QWidget* parent = nullptr);
    ~GraphView() override;

    // May be called for every frame of a drag. A layout of another graph is dropped.
    void setPlan(const PlanView& plan);
    void setGraphLayout(std::shared_ptr<const Layout> layout);
    // All other ops fade, and closed boxes that have none of them inside; none: nothing fades.
    void setMatches(std::optional<std::vector<NodeId>> matches);
    const std::shared_ptr<const Layout>& graphLayout() const { return m_paint.layout; }
    // Without it a boundary can go anywhere between its neighbours.
    void setLegalPositions(LegalPositions legal);
    void setColorBy(ColorBy colorBy);
    ColorBy colorBy() const { return m_colorBy; }

    double zoom() const { return transform().m11(); }
    void zoomBy(double factor, QPoint around); // pixels of the viewport
    void fitAll();
    void fitSelection();
    void actualSize();
    // The box that was clicked or walked to last.
    void toggleSelected(Depth depth);
    bool hasBoxSelected() const;
    void expandAll();
    void collapseAll();
    // The next one (1) or the one before (-1), round and round; it is scrolled to.
    void chooseBoundary(int step);
    // Opens and scrolls so that the nodes can be seen; asks for a new layout where they are inside closed
    // boxes.
    void reveal(const std::vector<NodeId>& nodes);

    // For tests and guided tours, in pixels of the viewport.
    std::optional<QRect> boundaryHandle(BoundaryId boundary) const;
    QPoint itemCenter(ItemId item) const;
    std::optional<BoundaryId> draggedBoundary() const;
    const std::optional<BoxDrag>& boxDrag() const { return m_boxDrag; }
    // Why the boxes that are dragged cannot be dropped where they are.
    void refuseBoxDrag(const QString& why);

signals:
    void expansionRequested(const stagecraft::Expansion& expansion);
    void boundaryDragged(BoundaryId boundary, std::size_t position); // in the layout's stage order
    void boundaryDropped(BoundaryId boundary, std::size_t position);
    void boxesDragged(const std::vector<stagecraft::NodeId>& nodes, stagecraft::StageId stage);
    void boxesDropped(const std::vector<stagecraft::NodeId>& nodes, stagecraft::StageId stage);
    void dragCancelled();
    void boundaryMoveRequested(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void splitRequested(std::size_t position);
    void removeRequested(BoundaryId boundary);
    void sendRequested(StageDirection direction); // what is selected
    void menuRequested(stagecraft::GraphView::MenuSubject subject, const QPoint& globalPosition);
    void zoomChanged(double zoom);

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Gesture { None, Click, Pan, Boundary, Boxes, SelectArea, ZoomArea };

    // What must stay where it is on the screen when the next layout comes: a box of a group (of several, the
    // one that begins next to `first`), what shows a node, or, up and down, a boundary.
    struct Pinned
    {
        std::optional<GroupId> group;
        std::size_t first = 0;
        std::optional<NodeId> node;
        std::optional<BoundaryId> boundary;
        QPointF viewportPosition;
    };

    // graph_view.cpp
    void forgetGraph();
    void takeTheme();
    void takeColors();
    void placeLegend();
    std::size_t boundaryCount() const;
    void takeMoves();
    void takeHeld();
    void takeMatches();
    void onHoveredChanged();
    void onNodesChanged();
    void updateLitEdges();
    void describe();
    // graph_view_viewport.cpp
    void updateSceneRect();
    void centerAt(QPointF scene);
    void showOpening();
    void pinCenter();
    void pinNode(NodeId node);
    void pinBoundary(BoundaryId boundary, std::size_t position);
    std::optional<ItemId> pinnedItem() const;
    void keepPinned();
    void panBy(QPoint delta);
    void scrollTo(const QRectF& area);
    // graph_view_paint.cpp
    std::vector<StageBand> bands() const;
    std::vector<BoundaryMark> boundaryMarks() const;
    BoundaryMark boundaryMark(BoundaryId boundary) const;
    void paintDropTarget(QPainter& painter) const;
    void paintBoxDrag(QPainter& painter) const;
    // graph_view_mouse.cpp
    std::optional<BoundaryId> boundaryAt(QPoint position) const;
    std::optional<ItemId> itemAtPixel(QPoint position) const;
    bool isGrip(ItemId item, QPoint position) const;
    void hoverAt(QPoint position);
    void startGesture(QMouseEvent* event);
    void movePressed(QPoint position);
    void stretchRubberBand(QPoint position);
    void clickAt(QPoint position, Qt::KeyboardModifiers modifiers);
    void selectArea(const QRect& area, Qt::KeyboardModifiers modifiers);
    void toggleBox(ItemId item, Depth depth);
    // graph_view_drag.cpp
    void startBoundaryDrag(BoundaryId boundary);
    void dragBoundaryTo(QPoint position, Qt::KeyboardModifiers modifiers);
    void endBoundaryDrag();
    std::optional<ItemId> draggableAt(QPoint position) const;
    void startBoxDrag(ItemId item);
    void dragBoxesTo(QPoint position);
    void endBoxDrag();
    StageId stageAtPixel(int y) const;
    void cancelDrag();
    void scrollAtEdges();
    // graph_view_keys.cpp
    bool boundaryKey(QKeyEvent* event);
    bool walkKey(QKeyEvent* event);
    bool zoomKey(QKeyEvent* event);
    bool boxKey(QKeyEvent* event);
    bool planKey(QKeyEvent* event);
    void makeCurrent(ItemId item);

    Selection* m_selection;
    GraphPaint m_paint;
    GraphScene* m_scene;
    Legend* m_legend;
    ColorBy m_colorBy = ColorBy::Stage;
    LegalPositions m_legal;
    std::optional<std::vector<NodeId>> m_matches; // of what is looked for
    std::optional<Pinned> m_pinned;
    bool m_isTouched = false;       // has the person scrolled, zoomed or clicked since the model came?
    std::vector<NodeId> m_toReveal; // once the layout that shows them is there

    Gesture m_gesture = Gesture::None;
    QPoint m_pressed;
    QPoint m_last;
    Qt::KeyboardModifiers m_lastModifiers;
    bool m_spaceHeld = false;
    std::optional<BoundaryDrag> m_drag;
    int m_grabOffset = 0; // of the pointer from the line that it drags, in pixels
    std::optional<BoxDrag> m_boxDrag;
    std::shared_ptr<const PlanCost> m_costBeforeDrag;
    std::optional<BoundaryId> m_hoveredBoundary;
    std::vector<ValueId> m_litValues; // of the edge that was clicked
    QTimer m_edgeScroll;
    std::unique_ptr<QRubberBand> m_rubberBand;
};

} // namespace stagecraft
