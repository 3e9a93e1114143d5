// ChartPlot: the drawing and the mouse of ExecutionCharts, on QCustomPlot. Private to the charts.
//
// Curves are drawn once; boundary lines, crosshair and selection each have a buffered layer of their own, so
// that moving one of them costs a third of a millisecond whatever the number of ops.
#pragma once

#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/charts/chart_curves.h"
#include "views/charts/execution_scale.h"

#include <qcustomplot.h>

#include <array>

namespace stagecraft {

class Bands;

enum class ChartKind { Memory, Time, Across };
inline constexpr int chartCount = 3;

class ChartPlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit ChartPlot(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    void setAxis(ExecutionAxis axis);
    ExecutionAxis axis() const { return m_axis; }
    void applyTheme();
    // Handles of boundaries leave out so many pixels on the right: something else stands there.
    void setCornerTaken(int width) { m_cornerTaken = width; }
    void zoomTo(double from, double to);
    void zoomToAll();
    void zoomToSelection();
    double xToPixel(double x) const;
    const ExecutionScale& scale() const { return m_scale; }
    bool hasCurves() const { return m_plan.profile && m_scale.opCount() > 0; }

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
    struct BoundaryItem
    {
        QCPItemLine* line;
        QCPItemText* handle;
    };
    enum class Gesture { None, Boundary, Range, Pan };

    QCPAxisRect* rect(ChartKind kind) const { return m_rects[static_cast<std::size_t>(kind)]; }
    QCPAxis* keyAxis() const { return m_rects[0]->axis(QCPAxis::atBottom); }
    double pixelToX(double pixel) const { return keyAxis()->pixelToCoord(pixel); }

    // chart_plot.cpp: what is there
    void buildRects();
    void buildTitles();
    void requestReplot();
    void refresh(const char* layer); // repaints it alone, unless all will be repainted anyway
    // chart_drawing.cpp: what is drawn
    void drawCurves();
    void drawMemory(std::size_t stage, std::size_t first, std::size_t end);
    void drawTime(std::size_t stage, std::size_t first, std::size_t end);
    void markCutTimes();
    void drawAcross();
    void addSteps(ChartKind kind, std::size_t first, std::size_t end, std::vector<double> values,
                  const QPen& line, const QBrush& fill, double base = 0);
    void addLevel(ChartKind kind, std::size_t first, std::size_t end, double value, const QPen& pen);
    void fitValues();
    double roomForCurves(ChartKind kind) const;
    void layOutBoundaries();
    void placeBoundaries();
    void drawSelection();
    void drawCrosshair();
    void showTitles();
    QString hoverText(ChartKind kind, NodeId node, std::size_t place) const;
    QBrush stageFill(std::size_t stage, double share) const;
    // chart_input.cpp: what the mouse and the keys do
    std::optional<std::size_t> boundaryAt(const QPointF& position) const;
    std::size_t draggedPlace(double pixel, Qt::KeyboardModifiers modifiers) const;
    void dragBoundaryTo(std::size_t place);
    void dropGesture(); // whatever it is, without effect
    void cancelDrag();
    void selectRange(double from, double to, Qt::KeyboardModifiers modifiers);
    void pan(double share);
    void zoom(double factor, double center);
    bool handleBoundaryKey(int key, Qt::KeyboardModifiers modifiers);
    void chooseBoundary(int step);
    void updateCursor(const QPointF& position);

    Selection* m_selection;
    Theme m_theme;
    PlanView m_plan;
    ExecutionAxis m_axis = ExecutionAxis::OpIndex;
    int m_cornerTaken = 0;
    StageOrder m_order;
    ExecutionScale m_scale;
    MemoryCurve m_memory;
    TimeScale m_times;
    std::vector<Bytes> m_across;
    Table<NodeId, std::size_t> m_placeOf;

    std::array<QCPAxisRect*, chartCount> m_rects{};
    std::array<QCPItemText*, chartCount> m_titles{};
    std::array<QCPItemText*, chartCount> m_values{};
    std::vector<BoundaryItem> m_boundaryItems;
    QCPItemLine* m_ghost;
    QCPItemLine* m_crosshair;
    Bands* m_bands;
    QCPItemRect* m_rubber;

    Gesture m_gesture = Gesture::None;
    std::size_t m_dragged = 0;   // boundary
    std::size_t m_dragStart = 0; // position
    std::size_t m_dragPlace = 0; // position
    double m_pressX = 0;         // pixel
    QCPRange m_pressRange;
    bool m_spaceHeld = false;
    bool m_replotPending = false;
};

} // namespace stagecraft
