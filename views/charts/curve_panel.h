// CurvePanel: the best plans of 1 to 16 stages side by side, as curves and as a table; choosing one adopts
// it.
#pragma once

#include "core/advise/curve.h"
#include "views/base/on_demand_panel.h"

#include <memory>

namespace stagecraft {

class CurvePlot;
class PlanRows;

class CurvePanel : public OnDemandPanel
{
    Q_OBJECT

public:
    explicit CurvePanel(QWidget* parent = nullptr);

    // Null: none yet. May be called for every point that is found.
    void setCurve(std::shared_ptr<const PlanCurve> curve);
    // How many stages the plan has now.
    void setCurrent(std::size_t stageCount);
    // B: figures are shown with their differences to it; null: none.
    void setCompared(std::shared_ptr<const PlanCost> other);

signals:
    void adoptRequested(std::size_t stageCount); // of a point that has a plan

private:
    CurvePanel(CurvePlot* plot, PlanRows* rows, QWidget* parent);
    void showRows();

    CurvePlot* m_plot;
    PlanRows* m_rows;
    std::shared_ptr<const PlanCurve> m_curve;
    std::size_t m_current = 0;
    std::shared_ptr<const PlanCost> m_compared;
};

} // namespace stagecraft
