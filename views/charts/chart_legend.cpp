#include "views/charts/chart_legend.h"

namespace stagecraft {

namespace {

// Of a line's height.
constexpr double swatchWidth = 0.9;
constexpr double roomBehindSwatch = 0.3;
constexpr double roomBehindName = 0.9;

void paintSwatch(QPainter& painter, const QRectF& box, const ChartLegendEntry& entry)
{
    if (entry.fill.style() != Qt::NoBrush)
        painter.fillRect(box, entry.fill);
    if (entry.line.style() == Qt::NoPen)
        return;
    const double y = entry.fill.style() == Qt::NoBrush ? box.center().y() : box.top();
    painter.setPen(entry.line);
    painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
}

} // namespace

ChartLegend::ChartLegend(QCPAxisRect* axes, const QCPItemText* title)
    : QCPAbstractItem(axes->parentPlot()), m_axes(axes), m_title(title)
{
    setClipToAxisRect(false);
    setSelectable(false);
}

void ChartLegend::setLook(const QFont& font, const QColor& text, const QColor& ground)
{
    m_font = font;
    m_text = text;
    m_ground = ground;
}

double ChartLegend::selectTest(const QPointF&, bool, QVariant*) const
{
    return -1;
}

void ChartLegend::draw(QCPPainter* painter)
{
    const QFontMetricsF metrics(m_font);
    const double line = metrics.height();
    const QPointF from = m_title->topRight->pixelPosition();
    double x = from.x() + line * 0.6;
    painter->setFont(m_font);
    for (const ChartLegendEntry& entry : m_entries) {
        const double width =
            (swatchWidth + roomBehindSwatch + roomBehindName) * line + metrics.horizontalAdvance(entry.name);
        if (x + width > m_axes->rect().right())
            return;
        const QRectF room(x, from.y(), width, line + 2);
        painter->fillRect(room, m_ground);
        const QRectF swatch(x, room.center().y() - line * 0.28, swatchWidth * line, line * 0.56);
        paintSwatch(*painter, swatch, entry);
        painter->setPen(m_text);
        painter->drawText(room.adjusted((swatchWidth + roomBehindSwatch) * line, 0, 0, 0),
                          Qt::AlignLeft | Qt::AlignVCenter, entry.name);
        x += width;
    }
}

} // namespace stagecraft
