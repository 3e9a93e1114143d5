// Small pictures of what is held fast, drawn with lines so that they are sharp at any size.
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace stagecraft {

enum class HeldIcon {
    Padlock, // stays where it is
    Link,    // stays with others
};

// Fills `rect`, which should be a square.
void paintHeldIcon(QPainter& painter, const QRectF& rect, HeldIcon icon, const QColor& color);

} // namespace stagecraft
