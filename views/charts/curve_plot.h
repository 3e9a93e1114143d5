// CurvePlot: the drawing of CurvePanel, on QCustomPlot. Private to it.
//
//     ms   ●           what the slowest stage takes; ─ what no plan can beat
//            ● ● ●
//     GiB  ●
//            ● ● ○     of the fullest device; hollow: over the limit
//     %        ● ●     bubble
//          1 2 3 4  stages
#pragma once

#include "core/advise/curve.h"
#include "views/base/theme.h"

#include <qcustomplot.h>

#include <array>
#include <memory>

namespace stagecraft {

class CurvePlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);

    void setCurve(std::shared_ptr<const PlanCurve> curve);
    // Marks the number of stages that the plan has now.
    void setCurrent(std::size_t stageCount);
    void applyTheme();
    // Where a number of stages is drawn, in pixels of this widget; for tests.
    double stageToPixel(std::size_t stageCount) const;

signals:
    void pointChosen(std::size_t stageCount);
    void pointHovered(std::size_t stageCount);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    static constexpr std::size_t rectCount = 3;

    void buildRects();
    void drawCurve();
    void addSeries(std::size_t rect, const std::vector<double>& values);
    void addBounds();
    // With a plan, nearest to the mouse.
    const CurvePoint* pointAt(double pixel) const;

    std::shared_ptr<const PlanCurve> m_curve;
    std::size_t m_current = 0;
    Theme m_theme;
    std::array<QCPAxisRect*, rectCount> m_rects{};
    std::array<QCPItemText*, rectCount> m_titles{};
    std::array<QCPItemStraightLine*, rectCount> m_marks{};
};

} // namespace stagecraft
