// TradeSlider: memory against time, by hand: how much a stage may hold, and what runs again for it.
//
//     less memory ────────◉──── less time
//     12.3 GiB at most in a stage · slowest stage 1.24 ms · 4.2 % of all computing runs again
//
// Figures follow while it is dragged; the plan is another once it is let go.
#pragma once

#include "core/base/quantities.h"
#include "views/base/on_demand_panel.h"

#include <optional>
#include <vector>

class QLabel;
class QSlider;

namespace stagecraft {

struct TradePoint
{
    Bytes memory;     // the most that a stage holds
    Seconds slowest;  // the slowest stage, for one microbatch
    double again = 0; // share of all computing that is run again, 0 .. 1
};

class TradeSlider : public OnDemandPanel
{
    Q_OBJECT

public:
    explicit TradeSlider(QWidget* parent = nullptr);

    // Memory rises, time falls; empty: they are not known yet.
    void setPoints(std::vector<TradePoint> points);
    // Is the plan that there is that of a point, or is that only the nearest?
    enum class Match { Same, Nearest };
    void setCurrent(std::size_t point, Match match);
    // What it says now; for tests.
    QString text() const;

signals:
    void chosen(std::size_t point);

private:
    TradeSlider(QSlider* slider, QLabel* figures, QWidget* parent);
    void showFigures();
    void choose();

    std::vector<TradePoint> m_points;
    QSlider* m_slider;
    QLabel* m_figures;
    std::optional<std::size_t> m_current; // of the plan that there is; none: it is that of none
};

} // namespace stagecraft
