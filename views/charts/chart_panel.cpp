#include "views/charts/chart_panel.h"

#include "views/charts/plot_axes.h"

#include <algorithm>

namespace stagecraft {

namespace {

constexpr double rightMargin = 0.6; // em

}

ChartPanel::ChartPanel(QCustomPlot* plot, int row, QCPMarginGroup* sides, const char* wordsLayer)
    : m_kind(chartKinds()[static_cast<std::size_t>(row)])
{
    const auto rowCount = static_cast<int>(chartKinds().size());
    m_axes = addStackedRect(
        *plot, {.row = row, .rowCount = rowCount, .above = row == 0 ? 1.95 : 0.55, .right = rightMargin},
        sides, QSharedPointer<QCPAxisTicker>(m_kind.makeTicker()));
    plot->plotLayout()->setRowStretchFactor(row, m_kind.height);
    for (QCPAxis* axis : m_axes->axes()) {
        axis->setLayer("axes");
        axis->grid()->setLayer("grid");
    }
    plot->setCurrentLayer(wordsLayer);
    m_title = addCornerText(m_axes, 0);
    m_legend = new ChartLegend(m_axes, m_title);
    m_hover = addCornerText(m_axes, 1);
    plot->setCurrentLayer("main");
}

void ChartPanel::applyTheme(const Theme& theme)
{
    const QFont font = scaledFont(m_axes->parentPlot(), 0.9);
    m_titleHeight = QFontMetrics(font).height() + 2 + em(m_axes->parentPlot(), 0.4);
    QColor ground = theme.surface;
    ground.setAlpha(215); // lines and curves pass behind the words
    for (QCPItemText* text : {m_title, m_hover}) {
        text->setBrush(ground);
        text->setFont(font);
    }
    m_title->setColor(theme.mutedText);
    m_legend->setLook(font, theme.mutedText, ground);
    m_hover->setColor(theme.text);
    for (QCPAxis* axis : m_axes->axes())
        applyAxisTheme(axis, theme);
}

void ChartPanel::draw(const ChartData& data, const Theme& theme)
{
    m_title->setVisible(data.hasCurves());
    m_legend->setVisible(data.hasCurves());
    const bool isLogarithmic = data.hasCurves() && data.look == ValueLook::Logarithmic;
    m_values = isLogarithmic ? m_kind.logarithmic(data) : ValueScale();
    value()->setTicker(QSharedPointer<QCPAxisTicker>(
        m_values.isLogarithmic() ? new LogarithmTicker(m_values, m_kind.tick) : m_kind.makeTicker()));
    m_title->setText(m_values.isLogarithmic() ? QObject::tr("%1, by logarithm").arg(m_kind.title(data))
                                              : m_kind.title(data));
    m_legend->setEntries(data.hasCurves() ? m_kind.legend(data, theme) : std::vector<ChartLegendEntry>());
    m_axes->setMinimumMargins(QMargins(0, 0, em(m_axes->parentPlot(), rightMargin), 0));
    if (data.hasCurves())
        m_kind.draw({.key = key(),
                     .value = value(),
                     .theme = theme,
                     .labelFont = scaledFont(m_axes->parentPlot(), 0.8),
                     .titleHeight = m_titleHeight,
                     .values = m_values},
                    data);
    fit(data);
}

void ChartPanel::fit(const ChartData& data)
{
    const int height = m_axes->height();
    const bool isLow = height < em(m_axes->parentPlot(), 3.2); // there is room for fewer labels
    value()->ticker()->setTickCount(isLow ? 1 : 3);
    const double share = height > 0 ? std::clamp(1 - m_titleHeight / height, 0.4, 0.95) : 0.8;
    const QCPRange values = m_kind.range(data);
    const double lower = m_values.shown(values.lower);
    value()->setRange(lower, lower + (m_values.shown(values.upper) - lower) / share);
}

void ChartPanel::showHover(const ChartData& data, std::optional<std::size_t> place)
{
    m_hover->setVisible(place.has_value());
    if (place)
        m_hover->setText(m_kind.hover(data, *place));
}

} // namespace stagecraft
