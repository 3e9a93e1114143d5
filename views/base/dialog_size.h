// Where windows open, and how large.
#pragma once

#include <QRect>

class QWidget;

namespace stagecraft {

// As large as wanted, but never larger than its screen: its buttons stand at its foot, however large the
// text.
void resizeOnScreen(QWidget* dialog, QSize wanted);

// Where one more window opens: as large as that at `other` and so far from it, but all of it on the screen.
QRect besideOnScreen(const QRect& other, QPoint step, const QRect& screen);

} // namespace stagecraft
