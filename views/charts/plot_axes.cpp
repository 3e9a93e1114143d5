#include "views/charts/plot_axes.h"

#include <array>
#include <cmath>

namespace stagecraft {

namespace {

QString trimmed(double value)
{
    return QString::number(value, 'g', 4);
}

} // namespace

QCPAxisRect* addStackedRect(QCustomPlot& plot, const StackedRect& place, QCPMarginGroup* sides,
                            const QSharedPointer<QCPAxisTicker>& values)
{
    auto* axes = new QCPAxisRect(&plot);
    plot.plotLayout()->addElement(place.row, 0, axes);
    const bool isLowest = place.row + 1 == place.rowCount;
    axes->setMarginGroup(QCP::msLeft | QCP::msRight, sides);
    axes->setAutoMargins(isLowest ? QCP::msLeft | QCP::msRight | QCP::msBottom : QCP::msLeft | QCP::msRight);
    axes->setMinimumMargins(QMargins(0, 0, em(&plot, place.right), 0));
    axes->setMargins(QMargins(0, em(&plot, place.above), 0, em(&plot, 0.3)));
    axes->axis(QCPAxis::atBottom)->setTickLabels(isLowest);
    axes->axis(QCPAxis::atLeft)->setTicker(values);
    values->setTickCount(3);
    return axes;
}

QCPItemText* addCornerText(QCPAxisRect* axes, double x)
{
    QCustomPlot* plot = axes->parentPlot();
    auto* text = new QCPItemText(plot);
    text->setClipToAxisRect(false);
    text->position->setAxisRect(axes);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(x, 0);
    text->setPositionAlignment((x > 0.5 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
    text->setPadding(QMargins(em(plot, 0.3), 1, em(plot, 0.3), 1));
    return text;
}

QCPItemLine* addUprightLine(QCustomPlot* plot)
{
    auto* line = new QCPItemLine(plot);
    line->setVisible(false);
    line->setClipToAxisRect(false);
    for (QCPItemPosition* end : {line->start, line->end})
        end->setType(QCPItemPosition::ptAbsolute);
    return line;
}

bool standUp(QCPItemLine* line, double pixel, const QRect& charts)
{
    line->start->setCoords(pixel, charts.top());
    line->end->setCoords(pixel, charts.bottom());
    const bool isVisible = pixel >= charts.left() - 1 && pixel <= charts.right() + 1;
    line->setVisible(isVisible);
    return isVisible;
}

void applyAxisTheme(QCPAxis* axis, const Theme& theme)
{
    const QCustomPlot* plot = axis->parentPlot();
    const bool key = axis->orientation() == Qt::Horizontal;
    axis->setBasePen(key ? QPen(theme.border) : QPen(Qt::NoPen));
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(theme.mutedText);
    axis->setTickLabelFont(scaledFont(plot, 0.85));
    axis->setTickLabelPadding(em(plot, 0.25));
    axis->grid()->setPen(key ? QPen(Qt::NoPen) : QPen(theme.grid));
    axis->grid()->setZeroLinePen(key ? QPen(Qt::NoPen) : QPen(theme.border));
}

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
