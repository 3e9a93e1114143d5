// Small pictures of constraints, drawn with lines so that they are sharp at any size.
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace stagecraft {

enum class ConstraintIcon {
    Padlock, // stays where it is
    Link,    // stays with others
};

// Fills `rect`, which should be a square.
void paintConstraintIcon(QPainter& painter, const QRectF& rect, ConstraintIcon icon, const QColor& color);

} // namespace stagecraft
