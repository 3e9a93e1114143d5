// CompareBar: the line above the graph that says which plan is kept as B, and what the plan that is shown, A,
// is against it. Not there while there is no B.
//
//     [B] 4 × A100 80GB · 8 microbatches · BF16 · ZB1P · 912 ms                          [Swap A and B] [✕]
//     A against B: step 871 ms −4.5 %, peak memory 31.2 GiB −1.2 GiB, ... 12 ops are in other stages
#pragma once

#include "views/base/compared_plan.h"

#include <QWidget>

class QLabel;

namespace stagecraft {

class CompareBar : public QWidget
{
    Q_OBJECT

public:
    explicit CompareBar(QWidget* parent = nullptr);

    // A, as it is now, maybe under the mouse: its figures and stages, maybe null.
    void setPlan(std::shared_ptr<const PlanCost> cost, std::shared_ptr<const Partition> partition);
    // B; null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // What the bar says of A against B, as plain text.
    QString summary() const;

signals:
    void swapRequested();
    void dropRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    QLabel* m_name;
    QLabel* m_figures;
    std::shared_ptr<const PlanCost> m_cost;
    std::shared_ptr<const Partition> m_partition;
    std::shared_ptr<const ComparedPlan> m_other;
};

} // namespace stagecraft
