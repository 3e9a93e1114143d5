// What programs share that measure the window.
#pragma once

#include "app/window/main_window.h"

#include <QStringList>

#include <functional>

namespace stagecraft::bench {

// The main() of such a program: opens each model of the command line, or of `examples` by their names, in a
// window of 1600 x 1000 of its own, with usual settings, and measures it once nothing is under way.
int measureWindows(int argc, char** argv, const QStringList& examples,
                   const std::function<void(MainWindow&)>& measure);

} // namespace stagecraft::bench
