#include "cli/prompt_cancel.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace stagecraft::cli {
namespace {

using namespace std::chrono_literals;

constexpr int cancelledStatus = 130;

// The work hears of the cancel itself between two operators, and mostly at once: it has a moment for that.
void watch(const std::stop_token& over, const Progress& progress)
{
    while (!over.stop_requested() && !progress.stopRequested())
        std::this_thread::sleep_for(20ms);
    for (int i = 0; i < 3 && !over.stop_requested(); ++i)
        std::this_thread::sleep_for(20ms);
    if (over.stop_requested())
        return;
    std::fputs("stagecraft-cli: cancelled\n", stderr);
    std::fflush(stderr);
    std::_Exit(cancelledStatus);
}

} // namespace

PromptCancel::PromptCancel(const Progress& progress)
    : m_watch([&progress](const std::stop_token& over) { watch(over, progress); })
{
}

} // namespace stagecraft::cli
