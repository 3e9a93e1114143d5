#include "views/charts/schedule_header.h"

#include <QPainter>

#include <algorithm>

namespace stagecraft {

namespace {

void paintLine(QPainter& painter, const QRectF& line, const QString& text, const QColor& color)
{
    painter.setPen(color);
    const QString shown = QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, line.width());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

} // namespace

QRectF ScheduleHeader::line(int index) const
{
    const double height = QFontMetricsF(font).height();
    return QRectF(gap, gap + 1.3 * index * height, width - 2 * gap, height);
}

QRectF ScheduleHeader::legendLine() const
{
    const QFontMetricsF metrics(font);
    const double wanted = widthOf(legend, metrics);
    if (wanted == 0 || wanted > firstLine().width())
        return {};
    const double said = metrics.horizontalAdvance(title) + metrics.horizontalAdvance(figures) + 4 * gap;
    if (said + wanted < firstLine().width())
        return firstLine();
    return line(below.isEmpty() ? 1 : 2);
}

double ScheduleHeader::bottom() const
{
    return gap + std::max(line(below.isEmpty() ? 0 : 1).bottom(), legendLine().bottom());
}

void paintScheduleHeader(QPainter& painter, const ScheduleHeader& header, const Theme& theme)
{
    painter.setFont(header.font);
    const QRectF first = header.firstLine();
    const QRectF ofLegend = header.legendLine();
    const double legend =
        ofLegend.isEmpty() ? 0 : paintScheduleLegend(painter, ofLegend, theme, header.legend);
    const double title = QFontMetricsF(header.font).horizontalAdvance(header.title);
    paintLine(painter, first, header.title, theme.mutedText);
    paintLine(painter, first.adjusted(title + 2 * header.gap, 0, ofLegend == first ? -legend : 0, 0),
              header.figures, theme.text);
    paintLine(painter, header.belowLine(), header.below, header.isFault ? theme.warning : theme.text);
}

} // namespace stagecraft
