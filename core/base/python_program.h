// Which Python is started where nobody chose one.
#pragma once

#include <string>

namespace stagecraft {

// The value of STAGECRAFT_PYTHON, the Python of a virtual environment `.venv` here, or python3.
std::string defaultPython();

} // namespace stagecraft
