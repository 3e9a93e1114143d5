// GraphStrip: the whole model beside the graph, as narrow as a scroll bar can be and still tell something.
//
//     ▌▃▃▃    from top to bottom all operators in the order of the drawing's stages: the stage's colour, and
//     ▌▃▃▃▃▃▃  how long the slowest of each row takes (longer and lighter: more)
//    ┌▌▃▃──┐  a frame round what the graph shows
//    └▌▃▃▃─┘
//     ▌━━━━   a line for each boundary
//
//     click, drag      the graph goes there          drag of a line   moves the boundary; Esc gives up
//     right click      the menu of the boundary, or of the slowest op of the row
//     Up, Down  a little   Page up, down  as far as is seen   Home, End  to the first, the last operator
#pragma once

#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_paint_data.h"

#include <QImage>
#include <QWidget>

namespace stagecraft {

class GraphStrip : public QWidget
{
    Q_OBJECT

public:
    static constexpr int stripWidth = 48;

    // `paint` outlives it.
    GraphStrip(const GraphPaint& paint, QWidget* parent);

    // The drawing, the plan or the colours have changed.
    void refresh();
    // Positions [first, end) of the drawing's stage order that the graph shows.
    void setShown(std::size_t first, std::size_t end);
    void setMatches(const std::optional<std::vector<NodeId>>& matches);
    // Without it a boundary can go anywhere between its neighbours.
    void setLegalPositions(LegalPositions legal) { m_legal = std::move(legal); }

    // For tests, in its own pixels.
    QRect shownFrame() const;
    int yOf(std::size_t position) const;

signals:
    void wanted(std::size_t position); // to be seen in the middle
    void boundaryDragged(stagecraft::BoundaryId boundary, std::size_t position);
    void boundaryDropped(stagecraft::BoundaryId boundary, std::size_t position);
    void dragCancelled();
    // Of the boundary; of the op where there is none.
    void menuRequested(std::optional<stagecraft::BoundaryId> boundary, stagecraft::NodeId op,
                       const QPoint& globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    std::size_t count() const { return m_paint.layout ? m_paint.layout->tree->order.size() : 0; }
    std::size_t positionAt(int y) const;
    std::optional<BoundaryId> boundaryAt(int y) const;
    NodeId slowestAt(int y) const; // of a model with ops
    std::vector<std::size_t> placesOf(BoundaryId boundary) const;
    void drawPicture();
    void dragBoundary(int y);
    void giveUpDrag();
    void step(std::ptrdiff_t by);

    const GraphPaint& m_paint;
    LegalPositions m_legal;
    QImage m_picture; // all but the frame and the boundaries
    std::vector<std::size_t> m_matches;
    std::size_t m_first = 0;
    std::size_t m_end = 0;
    bool m_isPressed = false;
    std::optional<BoundaryId> m_dragged;
    std::vector<std::size_t> m_places; // where the dragged one may go
    std::size_t m_place = 0;
    int m_grip = 0; // pixels of the pointer below the middle of the frame
};

} // namespace stagecraft
