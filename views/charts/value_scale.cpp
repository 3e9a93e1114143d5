#include "views/charts/value_scale.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double rounding = 1e-9; // log(1000) / log(10) is a little less than 3

double logarithm(double value, double base)
{
    return std::log(value) / std::log(base);
}

} // namespace

ValueScale ValueScale::logarithmic(double smallest, double largest, double base, int decades)
{
    ValueScale scale;
    if (!(smallest > 0) || !(largest > 0) || !std::isfinite(largest))
        return scale;
    const double lowest = std::floor(logarithm(smallest, base) + rounding);
    const double highest = std::floor(logarithm(largest, base) + rounding);
    scale.m_base = base;
    scale.m_least = std::pow(base, std::max(lowest, highest - decades));
    return scale;
}

double ValueScale::shown(double value) const
{
    if (!isLogarithmic())
        return value;
    const double height = std::abs(value) > m_least ? logarithm(std::abs(value) / m_least, m_base) : 0;
    return std::copysign(height, value);
}

double ValueScale::value(double shown) const
{
    if (!isLogarithmic())
        return shown;
    return std::copysign(m_least * std::pow(m_base, std::abs(shown)), shown);
}

double LogarithmTicker::getTickStep(const QCPRange& range)
{
    return std::max(1.0, std::ceil(range.size() / std::max(1, tickCount()) - 0.5));
}

QString LogarithmTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return m_text(m_scale.value(tick));
}

} // namespace stagecraft
