// Errors that say where they happened, and what to do.
#pragma once

#include "core/base/result.h"

namespace stagecraft {

// The same error with "where: " in front of its message.
inline Error inside(const std::string& where, const Error& error)
{
    return {error.code, where + ": " + error.message};
}

// Of a file that cannot be read: the same error with `step` behind its message, unless that says itself what
// to do, which stands behind a semicolon in all messages.
inline Error withNextStep(const Error& error, const std::string& step)
{
    const bool isOfFile = error.code == ErrorCode::BadFormat || error.code == ErrorCode::Unsupported;
    if (!isOfFile || error.message.find("; ") != std::string::npos)
        return error;
    return {error.code, error.message + "; " + step};
}

} // namespace stagecraft
