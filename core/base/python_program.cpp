#include "core/base/python_program.h"

#include <cstdlib>
#include <unistd.h>

namespace stagecraft {

std::string defaultPython()
{
    const char* const chosen = std::getenv("STAGECRAFT_PYTHON");
    if (chosen && *chosen)
        return chosen;
    const char* const here = ".venv/bin/python";
    return ::access(here, X_OK) == 0 ? here : "python3";
}

} // namespace stagecraft
