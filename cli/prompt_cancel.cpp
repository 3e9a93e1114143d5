#include "cli/prompt_cancel.h"

#include "core/base/writing.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace stagecraft::cli {
namespace {

using namespace std::chrono_literals;

constexpr int cancelledStatus = 130;
constexpr auto interval = 10ms;
// Mostly the work hears of the cancel itself, and may have something to show for it.
constexpr auto patience = 100ms;

void watch(const std::stop_token& over, const Progress& progress, ProgressLine& line)
{
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any woken;
    // True: the work is done.
    const auto waits = [&](std::chrono::milliseconds time) {
        woken.wait_for(lock, over, time, [] { return false; });
        return over.stop_requested();
    };
    while (!progress.stopRequested())
        if (waits(interval))
            return;
    if (waits(patience))
        return;
    do {
        line.clear();
        endAtOnce(cancelledStatus, "stagecraft-cli: cancelled\n");
    } while (!waits(interval)); // who is writing says it when that is given up
}

} // namespace

PromptCancel::PromptCancel(const Progress& progress, ProgressLine& line)
    : m_watch([&progress, &line](const std::stop_token& over) { watch(over, progress, line); })
{
}

} // namespace stagecraft::cli
