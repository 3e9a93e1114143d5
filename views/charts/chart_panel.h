// ChartPanel: one ChartKind in a plot: its axes, its curves, its words in the upper corners.
#pragma once

#include "views/charts/chart_kinds.h"

namespace stagecraft {

class ChartPanel
{
public:
    // Row `row` of the plot's layout, whose `sides` it shares; words stand on `wordsLayer`.
    ChartPanel(QCustomPlot* plot, int row, QCPMarginGroup* sides, const char* wordsLayer);

    QCPAxis* key() const { return m_axes->axis(QCPAxis::atBottom); }
    QRect rect() const { return m_axes->rect(); }
    void applyTheme(const Theme& theme);
    // The plottables that were there are gone by then.
    void draw(const ChartData& data, const Theme& theme);
    // The range of values as high as the plot is now: the uppermost part is the title's.
    void fit(const ChartData& data);
    // What it says of the op at a place; none: nothing.
    const std::vector<ChartLegendEntry>& legend() const { return m_legend->entries(); }
    void showHover(const ChartData& data, std::optional<std::size_t> place);

private:
    QCPAxis* value() const { return m_axes->axis(QCPAxis::atLeft); }

    const ChartKind& m_kind;
    QCPAxisRect* m_axes;
    QCPItemText* m_title;
    ChartLegend* m_legend;
    QCPItemText* m_hover;
    double m_titleHeight = 0;
    ValueScale m_values;
};

} // namespace stagecraft
