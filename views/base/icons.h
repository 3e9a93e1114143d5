// The program's own icons (resources/icons), drawn in the colour of the palette's text.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

class QPainter;
class QRectF;

namespace stagecraft {

// So that they are found by name, in a style sheet, too.
void loadIcons();
// The icon resources/icons/NAME.svg. It follows the application's palette, also after a change, is sharp at
// every resolution, and is drawn faintly where disabled. A name that is not there gives an empty picture.
QIcon themedIcon(const QString& name);
// The same drawing in one colour, `size` logical pixels square.
QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio);

// Small pictures of constraints and of what runs again, drawn with lines so that they are sharp at any size.
enum class ConstraintIcon {
    Padlock, // stays where it is
    Link,    // stays with others
    Again,   // runs again in backward
};

// Fills `rect`, which should be a square.
void paintConstraintIcon(QPainter& painter, const QRectF& rect, ConstraintIcon icon, const QColor& color);

} // namespace stagecraft
