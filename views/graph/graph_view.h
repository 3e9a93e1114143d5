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
//     arrows  walk along edges   N, Shift+N  the next, the last edge of an op; then Up, Down go to its ends
//     Enter  open, close   Backspace  the box around
//     comma, period  the op before, after        Home, End  to the top, to the bottom
//     Up, Down  move the chosen boundary by one place, Shift by a module, Ctrl to the best one nearby
//
// What else keys do here are actions of the window.
#pragma once

#include "views/graph/graph_focus.h"
#include "views/graph/graph_gestures.h"
#include "views/graph/graph_jumps.h"

#include <QGraphicsView>

namespace stagecraft {

class GraphScene;

class GraphView : public QGraphicsView
{
    Q_OBJECT

public:
    enum class Depth { One, All };
    enum class MenuSubject { View, Ops, Boundary };

    explicit GraphView(Selection* selection, QWidget* parent = nullptr);

    // May be called for every frame of a drag. A layout of another graph is dropped.
    void setPlan(const PlanView& plan);
    void setGraphLayout(std::shared_ptr<const Layout> layout);
    void setCompared(std::shared_ptr<const Partition> other); // its boundaries are dashed; null: none
    // All other ops fade, and closed boxes that have none of them inside; none: nothing fades.
    void setMatches(std::optional<std::vector<NodeId>> matches);
    const std::shared_ptr<const Layout>& graphLayout() const { return m_paint.layout; }
    // Without it a boundary can go anywhere between its neighbours.
    void setLegalPositions(const LegalPositions& legal);
    void setColorBy(ColorBy colorBy);
    // Figures of the person's own, of the graph that is shown: colours and tips; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    ColorBy colorBy() const { return m_colorBy; }

    double zoom() const { return m_camera.zoom(); }
    void zoomBy(double factor, QPoint around) { m_camera.zoomBy(factor, around); } // pixels of the viewport
    void fitAll() { m_camera.fitAll(); }
    void fitSelection() { m_camera.fitSelection(); }
    void actualSize() { m_camera.showActualSize(); }
    void zoomHere(double factor) { m_camera.zoomHere(factor); } // around what is selected, if that is seen
    void toggleSelected(Depth depth);                           // the box that was clicked or walked to last
    bool hasBoxSelected() const;
    void makeCurrent(ItemId item) { m_focus.makeCurrent(item); }
    void expandAll();
    void collapseAll();
    void chooseEdge(int step) { m_focus.chooseEdge(step); }
    // The operator at a position of the drawing's stage order.
    void goTo(std::size_t position) { m_surroundings.goTo(position); }
    // The next one (1) or the one before (-1), round and round; it is scrolled to.
    void chooseBoundary(int step) { m_focus.chooseBoundary(step); }
    // Opens and scrolls so that the nodes can be seen; asks for a new layout where they are inside closed
    // boxes.
    void reveal(const std::vector<NodeId>& nodes) { m_jumps.reveal(nodes); }
    void showPlace(const GraphPlace& place) { m_jumps.show(place); } // likewise

    // For tests and guided tours, in pixels of the viewport.
    std::optional<QRect> boundaryHandle(BoundaryId boundary) const;
    QPoint itemCenter(ItemId item) const;
    GraphStrip* strip() const { return m_surroundings.strip(); }
    GraphCrumbs* crumbs() const { return m_surroundings.crumbs(); }
    QToolButton* lock() const { return m_surroundings.lock(); }
    std::optional<BoundaryId> draggedBoundary() const;
    const std::optional<BoxDrag>& boxDrag() const { return m_boxDrag.drag(); }

    // Why the boxes that are dragged cannot be dropped where they are.
    void refuseBoxDrag(const QString& why) { m_boxDrag.refuse(why); }

signals:
    // Before a selection or a reveal moves the picture: what is seen. None: not drawn yet.
    void leaving(const std::optional<stagecraft::GraphPlace>& place);
    void roomChanged(const QSizeF& pixels); // for a page, while nobody has moved the picture
    void expansionRequested(const stagecraft::Expansion& expansion);
    void boundaryDragged(BoundaryId boundary, std::size_t position); // in the layout's stage order
    void boundaryDropped(BoundaryId boundary, std::size_t position);
    void boxesDragged(const std::vector<stagecraft::NodeId>& nodes, stagecraft::StageId stage);
    void boxesDropped(const std::vector<stagecraft::NodeId>& nodes, stagecraft::StageId stage);
    void dragCancelled();
    void boundaryMoveRequested(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void splitRequested(std::size_t position);
    void backRequested(); // by the buttons of a mouse
    void forwardRequested();
    void menuRequested(stagecraft::GraphView::MenuSubject subject, const QPoint& globalPosition);

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
    void connectParts();
    void forgetGraph();
    void takeTheme();
    void takeColors();
    void takePlan();
    void onNodesChanged();
    void toggleBox(ItemId item, Depth depth);
    void refresh(); // what is lit, and all that is painted

    Selection* m_selection;
    GraphPaint m_paint;
    GraphScene* m_scene;
    GraphCamera m_camera;
    BoundaryDragController m_boundaryDrag;
    BoundaryLines m_lines;
    BoxDragController m_boxDrag;
    GraphPointer m_pointer;
    GraphGestures m_gestures;
    GraphSurroundings m_surroundings;
    GraphFocus m_focus;
    GraphJumps m_jumps;
    ColorBy m_colorBy = ColorBy::Stage;
    std::optional<std::vector<NodeId>> m_matches; // of what is looked for
};

} // namespace stagecraft
