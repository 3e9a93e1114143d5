// TradeOffsPanel: plans of the present number of stages that give up time for memory or for bytes sent, none
// of which is the best in all three; choosing one adopts it.
#pragma once

#include "core/advise/trade_offs.h"
#include "views/base/on_demand_panel.h"

#include <memory>
#include <vector>

namespace stagecraft {

class PlanRows;

using TradeOffs = std::vector<TradeOff>;

enum class TradeOffColumn { Step, Slowest, Peak, Sent, Bubble, Quality, Asked };

class TradeOffsPanel : public OnDemandPanel
{
    Q_OBJECT

public:
    explicit TradeOffsPanel(QWidget* parent = nullptr);

    // Null: none yet.
    void setPlans(std::shared_ptr<const TradeOffs> plans);
    // The plan that there is now; null: none.
    void setCurrent(std::shared_ptr<const Partition> partition);
    // B: figures are shown with their differences to it; null: none.
    void setCompared(std::shared_ptr<const PlanCost> other);

signals:
    void adoptRequested(std::size_t index);

private:
    TradeOffsPanel(PlanRows* rows, QWidget* parent);
    void showRows();

    PlanRows* m_rows;
    std::shared_ptr<const TradeOffs> m_plans;
    std::shared_ptr<const Partition> m_current;
    std::shared_ptr<const PlanCost> m_compared;
};

} // namespace stagecraft
