// Errors that say where they happened.
#pragma once

#include "core/base/result.h"

namespace stagecraft {

// The same error with "where: " in front of its message.
inline Error inside(const std::string& where, const Error& error)
{
    return {error.code, where + ": " + error.message};
}

} // namespace stagecraft
