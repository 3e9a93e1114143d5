// ChartPlot: the charts of ExecutionCharts above one another on QCustomPlot, and what the mouse and the keys
// do in them. Private to the charts.
//
// Curves are drawn once; boundary lines, crosshair and selection each have a buffered layer of their own, so
// that moving one of them costs a third of a millisecond whatever the number of ops.
#pragma once

#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/charts/chart_boundaries.h"
#include "views/charts/chart_panel.h"
#include "views/charts/range_rubber.h"

#include <qcustomplot.h>

#include <vector>

namespace stagecraft {

class Bands;

class ChartPlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit ChartPlot(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    void setAxis(ExecutionAxis axis);
    void setLook(ValueLook look) { m_data.setLook(look), drawCurves(); }
    void setCompared(std::shared_ptr<const Partition> other); // null: none
    // Where its boundaries are, in the plan's stage order; for tests.
    const Table<BoundaryId, PlacedBoundary>& comparedBoundaries() const { return m_boundaries.others(); }
    void applyTheme();
    // Handles of boundaries leave out so many pixels on the right: something else stands there.
    void setCornerTaken(int width) { m_boundaries.setCornerTaken(width); }
    void zoomToAll();
    void zoomToSelection();
    // Where a position of the stage order is.
    double placeToPixel(std::size_t place) const { return xToPixel(m_data.scale.places[place]); }
    std::optional<BoundaryId> boundaryAt(QPointF place) const { return m_boundaries.at(place); }
    NodeId opAt(double pixel) const { return m_data.order.nodes[m_data.scale.opAt(pixelToX(pixel))]; }
    bool hasCurves() const { return m_data.hasCurves(); }
    QString seriesCsv() const { return m_data.seriesCsv(); }

signals:
    void boundaryDragged(BoundaryId boundary, std::size_t position);
    void boundaryDropped(BoundaryId boundary, std::size_t position);
    void dragCancelled();
    void boundaryMoveRequested(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void splitRequested(std::size_t position);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Gesture { None, Range, Zoom, Pan }; // besides the drag of a boundary

    QCPAxis* keyAxis() const { return m_charts.front().key(); }
    double xToPixel(double x) const { return keyAxis()->coordToPixel(x); }
    double pixelToX(double pixel) const { return keyAxis()->pixelToCoord(pixel); }
    QRect area() const; // of all charts

    std::vector<ChartPanel> makeCharts();
    void requestReplot();
    void refresh(const char* layer); // repaints it alone, unless all will be repainted anyway
    void drawCurves();
    void placeBoundaries();
    void drawSelection();
    void drawMatches();
    void drawCrosshair();

    void dropGesture(); // whatever it is, without effect
    void finishRange(Gesture gesture, const QMouseEvent& release);
    void selectRange(double from, double to, Qt::KeyboardModifiers modifiers);
    void zoomTo(double from, double to);
    void pan(double share);
    void zoom(double factor, double center);
    bool handleBoundaryKey(int key, Qt::KeyboardModifiers modifiers);
    void chooseBoundary(int step);
    void updateCursor(const QPointF& position);

    Selection* m_selection;
    Theme m_theme;
    ChartData m_data;
    std::vector<ChartPanel> m_charts; // as chartKinds()
    ChartBoundaries m_boundaries;
    QCPItemLine* m_crosshair;
    Bands* m_bands;
    Bands* m_matches; // ticks at the top: what is looked for
    RangeRubber m_rubber;

    Gesture m_gesture = Gesture::None;
    double m_pressX = 0; // pixel
    QCPRange m_pressRange;
    bool m_spaceHeld = false;
    bool m_replotPending = false;
};

} // namespace stagecraft
