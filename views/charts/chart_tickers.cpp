#include "views/charts/chart_tickers.h"

#include <array>
#include <cmath>

namespace stagecraft {

namespace {

QString trimmed(double value)
{
    return QString::number(value, 'g', 4);
}

} // namespace

QString tickBytes(double bytes)
{
    static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = std::abs(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit)
        value /= 1024;
    return value == 0 ? QStringLiteral("0") : trimmed(value) + ' ' + units[unit];
}

QString tickSeconds(double seconds)
{
    const double value = std::abs(seconds);
    if (value < 1e-12)
        return QStringLiteral("0");
    if (value < 0.9999e-6)
        return trimmed(value * 1e9) + " ns";
    if (value < 0.9999e-3)
        return trimmed(value * 1e6) + " us";
    return value < 0.9999 ? trimmed(value * 1e3) + " ms" : trimmed(value) + " s";
}

double binaryTickStep(double range, int count)
{
    if (!(range > 0))
        return 1;
    return std::exp2(std::round(std::log2(range / count)));
}

double BytesTicker::getTickStep(const QCPRange& range)
{
    return binaryTickStep(range.size(), tickCount());
}

QString BytesTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return tickBytes(tick);
}

QString SecondsTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return tickSeconds(tick);
}

double CountTicker::getTickStep(const QCPRange& range)
{
    return std::max(1.0, std::ceil(QCPAxisTicker::getTickStep(range)));
}

QString CountTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(std::llround(tick)));
}

} // namespace stagecraft
