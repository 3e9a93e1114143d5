// BoundaryLines: where the stages and their boundaries are in the viewport now, and how that is painted, at a
// constant size on the screen: bands behind the graph; the gutter with their numbers, lines and handles
// before it. y is in pixels of the viewport.
#pragma once

#include "core/plan/partition.h"
#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/graph/boundary_drag_controller.h"

#include <QRectF>
#include <QString>

#include <vector>

class QFont;
class QPainter;

namespace stagecraft {

namespace graph_metrics {
inline constexpr int gutterWidth = 40;
inline constexpr int handleHeight = 26;
inline constexpr int handleLeft = gutterWidth + 10;
} // namespace graph_metrics

struct StageBand
{
    StageId stage{0};
    double top = 0;
    double bottom = 0;
};

struct BoundaryMark
{
    enum class State { Normal, Hovered, Chosen, Dragged };
    BoundaryId boundary{0};
    double y = 0;
    State state = State::Normal;
    bool isLocked = false;
    double left = graph_metrics::handleLeft; // of the handle
    bool hasHandle = true;
    QString text; // behind "2 | 3" in the handle; may be empty
};

void paintBands(QPainter& painter, const std::vector<StageBand>& bands, const QRectF& viewport,
                const Theme& theme);
void paintGutter(QPainter& painter, const std::vector<StageBand>& bands, const QRectF& viewport,
                 const Theme& theme);
void paintBoundary(QPainter& painter, const BoundaryMark& mark, const QRectF& viewport, const QFont& font,
                   const Theme& theme);
// Where a dragged boundary came from.
void paintGhost(QPainter& painter, double y, const QRectF& viewport, const Theme& theme);

// A boundary of the plan that this one is compared with: a dashed line, and on the right what it is called,
// which stands above all lines.
void paintOtherLine(QPainter& painter, double y, const QRectF& viewport, const Theme& theme);
void paintOtherTag(QPainter& painter, const QString& text, double y, const QRectF& viewport,
                   const QFont& font, const Theme& theme);

// Sees to it that handles do not cover each other: where lines are close, handles lose their text and stand
// side by side; what has no room in `width` has none. What is chosen or dragged keeps its text and is last,
// so that it is painted above the others.
void placeHandles(std::vector<BoundaryMark>& marks, double width, const QFont& font);
// Where the handle is, in the viewport.
QRectF handleRect(const BoundaryMark& mark, const QFont& font);

class BoundaryLines
{
public:
    // All outlive it.
    BoundaryLines(const QGraphicsView* view, const GraphPaint& paint, const Selection* selection,
                  const BoundaryDragController& drag);

    // Needs a drawing, as all below but marks() and at().
    std::vector<StageBand> bands() const;
    // With room for the handles; what is chosen last.
    std::vector<BoundaryMark> marks() const;
    // The gutter, the boundaries, and where the one that is dragged came from.
    void paint(QPainter& painter) const;
    double yOf(std::size_t position) const; // in the layout's stage order
    // "B 1 | 2"; where ops stand on the wrong side of the line, how many.
    QString otherText(BoundaryId boundary) const;
    double yOf(BoundaryId boundary) const { return yOf(m_drag.positionOf(boundary)); }
    // Whose line or handle is there.
    std::optional<BoundaryId> at(QPoint pixel) const;
    StageId stageAt(int y) const;

    // Which one is pointed at.
    void setHovered(std::optional<BoundaryId> boundary) { m_hovered = boundary; }
    std::optional<BoundaryId> hovered() const { return m_hovered; }

private:
    BoundaryMark mark(BoundaryId boundary) const;

    const QGraphicsView* m_view;
    const GraphPaint& m_paint;
    const Selection* m_selection;
    const BoundaryDragController& m_drag;
    std::optional<BoundaryId> m_hovered;
};

} // namespace stagecraft
