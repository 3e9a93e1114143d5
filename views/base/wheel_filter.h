// The wheel over fields in a panel that scrolls.
#pragma once

class QWidget;

namespace stagecraft {

// The wheel scrolls what `field` stands in and never changes its value: who scrolls a panel does not look at
// the field that happens to pass under the mouse.
void leaveWheelToParent(QWidget* field);

} // namespace stagecraft
