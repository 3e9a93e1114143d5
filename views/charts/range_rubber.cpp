#include "views/charts/range_rubber.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

RangeRubber::RangeRubber(QCustomPlot* plot, const char* layer) : m_rect(new QCPItemRect(plot))
{
    m_rect->setLayer(layer);
    m_rect->setVisible(false);
    m_rect->setClipToAxisRect(false);
    for (QCPItemPosition* corner : {m_rect->topLeft, m_rect->bottomRight})
        corner->setType(QCPItemPosition::ptAbsolute);
}

void RangeRubber::setTheme(const Theme& theme)
{
    QColor color = theme.accent;
    m_rect->setPen(QPen(color));
    color.setAlpha(40);
    m_rect->setBrush(color);
}

void RangeRubber::stretch(double from, double to, const QRect& charts)
{
    const auto inside = [&charts](double x) { return std::clamp<double>(x, charts.left(), charts.right()); };
    m_rect->setVisible(!isClick(from, to));
    m_rect->topLeft->setCoords(inside(std::min(from, to)), charts.top());
    m_rect->bottomRight->setCoords(inside(std::max(from, to)), charts.bottom());
}

bool RangeRubber::isClick(double from, double to)
{
    constexpr double most = 3; // pixels
    return std::abs(to - from) <= most;
}

} // namespace stagecraft
