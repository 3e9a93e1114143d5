// How a Python that gave no answer ended, and what a person can do about it.
#pragma once

#include "core/base/child_process.h"

#include <string>

namespace stagecraft {

// "was ended by signal 6 (Aborted) and gave no answer; in model.py, line 7: ...". Of a signal that Python's
// faulthandler reports the line of the person's code that ran, else of the library that ran.
std::string endText(const ChildResult& child);

} // namespace stagecraft
