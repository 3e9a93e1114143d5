// How the program ends, whatever is on the screen.
#pragma once

class QAction;
class QWidget;

namespace stagecraft {

// The keys of `quit` work in the dialogs of `window` as well. Those close first, as by their title bar, and
// with that cancel what they do. A question that is to be answered stays: it has Cancel for that.
void quitFromDialogs(QWidget* window, QAction* quit);

// Deletes every main window, also those that are closed and wait for their work to stop.
void deleteMainWindows();

} // namespace stagecraft
