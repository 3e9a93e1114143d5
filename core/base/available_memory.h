// How much memory there is to be had, for who would otherwise be ended by the system for taking too much.
#pragma once

#include "core/base/quantities.h"

namespace stagecraft {

// What this process can still take without swapping, by the machine and by the limits of the containers it
// runs in (control groups); the largest number if neither tells.
Bytes availableMemory();

} // namespace stagecraft
