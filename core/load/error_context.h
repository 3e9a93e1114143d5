// Errors that say where they happened.
#pragma once

#include "core/base/result.h"

namespace stagecraft {

// The same error with "where: " in front of its message.
inline Error inside(const std::string& where, Error error)
{
    error.message = where + ": " + error.message;
    return error;
}

} // namespace stagecraft
