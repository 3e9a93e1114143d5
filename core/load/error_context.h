// Errors that say where they happened, and what to do.
#pragma once

#include "core/base/result.h"

namespace stagecraft {

// The same error with "where: " in front of its message.
inline Error inside(const std::string& where, const Error& error)
{
    return {error.code, where + ": " + error.message};
}

// What to do about a file that cannot be read.
struct FileAdvice
{
    const char* damaged;     // where the file is not what it should be
    const char* unsupported; // where it holds what is not read here
};

// The same error with advice behind its message, unless that says itself what to do, which stands behind a
// semicolon in all messages of a file.
inline Error withAdvice(const Error& error, const FileAdvice& advice)
{
    if (error.message.find("; ") != std::string::npos)
        return error;
    if (error.code == ErrorCode::BadFormat)
        return {error.code, error.message + "; " + advice.damaged};
    if (error.code == ErrorCode::Unsupported)
        return {error.code, error.message + "; " + advice.unsupported};
    return error;
}

} // namespace stagecraft
