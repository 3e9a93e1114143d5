// What the program is, its version and its licence.
#pragma once

class QWidget;

namespace stagecraft {

// Returns when the person has closed it.
void showAbout(QWidget* parent);

} // namespace stagecraft
