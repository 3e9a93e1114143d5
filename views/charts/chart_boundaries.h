// ChartBoundaries: the lines of a plan's boundaries through all charts, with handles above, and the one that
// is dragged, with a ghost where it came from.
#pragma once

#include "core/plan/plan_difference.h"
#include "views/base/boundary_keys.h"
#include "views/base/theme.h"
#include "views/charts/chart_data.h"

#include <QPointF>
#include <QRect>

#include <memory>
#include <optional>
#include <vector>

class QCPAxis;
class QCPItemLine;
class QCPItemText;
class QCustomPlot;

namespace stagecraft {

class ChartBoundaries
{
public:
    // On the plot's layer of that name; all outlive it. A drag moves its boundary in data.order.
    ChartBoundaries(QCustomPlot* plot, const char* layer, QCPAxis* key, ChartData& data);

    void setTheme(const Theme& theme);
    // Handles leave out so many pixels on the right of the plot.
    void setCornerTaken(int width) { m_cornerTaken = width; }
    // As many lines as there are boundaries now; place() says where.
    void layOut();
    // Those of B, dashed, behind the others; null: none. layOut() and place() follow.
    void setOther(std::shared_ptr<const Partition> plan) { m_other = std::move(plan); }
    // Where they are, in the stage order.
    const Table<BoundaryId, PlacedBoundary>& others() const { return m_otherPlaces; }
    // `charts` is all of them, `chosen` stands out.
    void place(const QRect& charts, std::optional<BoundaryId> chosen);
    std::size_t count() const { return m_lines.size(); }
    // Whose line or handle is there.
    std::optional<BoundaryId> at(QPointF position) const;

    bool isDragging() const { return m_drag.has_value(); }
    void startDrag(BoundaryId boundary); // not of one that is locked
    // To the place next to that pixel that its neighbours allow. Has it moved?
    bool dragTo(double pixel, Magnet magnet);
    struct Move
    {
        BoundaryId boundary{0};
        std::size_t start = 0;
        std::size_t place = 0; // position in the stage order
    };
    // The drag so far; there must be one.
    const Move& drag() const { return *m_drag; }
    Move drop();
    // Back to where it was.
    void abortDrag();
    // The boundaries are others now.
    void forgetDrag() { m_drag.reset(); }

private:
    struct Line
    {
        QCPItemLine* line;
        QCPItemText* handle;
    };
    Line addLine();
    void dropLines(std::vector<Line>& lines, std::size_t wanted);
    void layOutOthers();
    void placeOthers();
    void hideBehindDragged();
    double pixelOf(std::size_t place) const;
    std::size_t placeAt(double pixel) const;

    QCustomPlot* m_plot;
    const char* m_layer;
    QCPAxis* m_key;
    ChartData& m_data;
    Theme m_theme;
    std::vector<Line> m_lines;
    std::vector<Line> m_otherLines;
    std::shared_ptr<const Partition> m_other;
    Table<BoundaryId, PlacedBoundary> m_otherPlaces;
    QCPItemLine* m_ghost;
    std::optional<Move> m_drag;
    QRect m_charts;
    int m_cornerTaken = 0;
};

} // namespace stagecraft
