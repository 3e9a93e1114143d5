// PromptCancel: for as long as it lives, a cancel ends the program within a fifth of a second, whatever the
// command is doing: also in the middle of an operator of LibTorch, which nothing can interrupt. Only a file
// that is being written is written to its end, or given up by whoever writes it. It says so where `line`
// stands.
#pragma once

#include "cli/terminal.h"
#include "core/base/progress.h"

#include <thread>

namespace stagecraft::cli {

class PromptCancel
{
public:
    PromptCancel(const Progress& progress, ProgressLine& line); // both outlive it

private:
    std::jthread m_watch;
};

} // namespace stagecraft::cli
