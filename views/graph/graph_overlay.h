// What is painted around a graph at a constant size on the screen: bands of the stages behind it; the gutter
// with their numbers, boundary lines and handles before it. Free functions; y is in pixels of the viewport.
#pragma once

#include "core/plan/partition.h"
#include "views/base/theme.h"

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

// Sees to it that handles do not cover each other: where lines are close, handles lose their text and stand
// side by side; what has no room in `width` has none. What is chosen or dragged keeps its text and is last,
// so that it is painted above the others.
void placeHandles(std::vector<BoundaryMark>& marks, double width, const QFont& font);
// Where the handle is, in the viewport.
QRectF handleRect(const BoundaryMark& mark, const QFont& font);

} // namespace stagecraft
