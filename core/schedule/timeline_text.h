// A Timeline for reading in a terminal.
#pragma once

#include "core/schedule/simulate.h"

#include <cstddef>
#include <string>

namespace stagecraft {

// One line a device, counted from 1, time to the right, each line at most `columns` characters wide (and at
// least as wide as its label and 10 steps). By the last digit of its microbatch an action is
//
//     0 .. 9 forward     a .. j backward     A .. J gradients of weights     . idle     - transfers
//
// Where actions are narrower than a character that would read as noise; then a line has as many F, B and W as
// the device's time has of each. A ruler goes before the devices, a line that explains the characters after
// them. Empty for a step that takes no time.
std::string timelineText(const Timeline& timeline, std::size_t columns = 100);

} // namespace stagecraft
