#include "views/base/constraint_icon.h"

#include <QPainter>

namespace stagecraft {

namespace {

void paintPadlock(QPainter& painter, const QRectF& rect, const QColor& color)
{
    const double size = rect.width();
    painter.setPen(QPen(color, size * 0.14));
    painter.setBrush(Qt::NoBrush);
    const QRectF shackle(rect.left() + size * 0.26, rect.top() + size * 0.06, size * 0.48, size * 0.7);
    painter.drawArc(shackle, 0, 180 * 16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(
        QRectF(rect.left() + size * 0.1, rect.top() + size * 0.42, size * 0.8, size * 0.52), size * 0.1,
        size * 0.1);
}

// Two links of a chain.
void paintLink(QPainter& painter, const QRectF& rect, const QColor& color)
{
    const double size = rect.width();
    painter.save();
    painter.translate(rect.center());
    painter.rotate(-45);
    painter.setPen(QPen(color, size * 0.13));
    painter.setBrush(Qt::NoBrush);
    for (const double x : {-0.56, -0.04})
        painter.drawRoundedRect(QRectF(x * size, -0.2 * size, 0.6 * size, 0.4 * size), 0.2 * size,
                                0.2 * size);
    painter.restore();
}

} // namespace

void paintConstraintIcon(QPainter& painter, const QRectF& rect, ConstraintIcon icon, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    icon == ConstraintIcon::Padlock ? paintPadlock(painter, rect, color) : paintLink(painter, rect, color);
    painter.restore();
}

} // namespace stagecraft
