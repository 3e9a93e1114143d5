// The frame around a view that has the keyboard's focus, for those that paint themselves.
#pragma once

#include "views/base/theme.h"

#include <QPainter>

namespace stagecraft {

inline void drawFocusFrame(QPainter& painter, const QRectF& area, const Theme& theme)
{
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace stagecraft
