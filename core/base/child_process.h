// A program that is started, waited for, and killed when it is no longer wanted.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct ChildResult
{
    int status = 0;     // of exit(); 128 + number where a signal ended it
    std::string errors; // the end of what it wrote to standard error
};

// Runs `program`, looked up in PATH, without input and without a terminal to write to. Fails with NotFound
// where it cannot be started, and with Cancelled, after killing it, where `progress` asks to stop.
Result<ChildResult> runChild(const std::string& program, const std::vector<std::string>& arguments,
                             const Progress& progress);

// The same of a program that talks while it runs: `hear` gets each line that it writes to standard output,
// without its end, on this thread; a line over a mebibyte in pieces. A cancel also kills what it started.
using HearLine = std::function<void(std::string_view line)>;
Result<ChildResult> runTalkingChild(const std::string& program, const std::vector<std::string>& arguments,
                                    const HearLine& hear, const Progress& progress);

} // namespace stagecraft
