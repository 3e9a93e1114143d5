// How large a dialog opens.
#pragma once

#include <QSize>

class QWidget;

namespace stagecraft {

// As large as wanted, but never larger than its screen: its buttons stand at its foot, however large the
// text.
void resizeOnScreen(QWidget* dialog, QSize wanted);

} // namespace stagecraft
