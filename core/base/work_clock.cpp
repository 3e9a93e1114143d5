#include "core/base/work_clock.h"

#include <algorithm>

namespace stagecraft {

namespace {

constexpr double shareInAnyCase = 0.25;

} // namespace

WorkClock::WorkClock(clockid_t processor) : m_processor(processor), m_workedBefore(worked()) {}

WorkClock WorkClock::ofProcess(pid_t process)
{
    clockid_t processor{};
    // Of one that has ended, all of the time counts.
    return WorkClock(::clock_getcpuclockid(process, &processor) == 0 ? processor : CLOCK_MONOTONIC);
}

Seconds WorkClock::worked() const
{
    timespec time{};
    ::clock_gettime(m_processor, &time);
    return Seconds(static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec));
}

Seconds WorkClock::passed() const
{
    return Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count());
}

Seconds WorkClock::elapsed() const
{
    return std::max(worked() - m_workedBefore, passed() * shareInAnyCase);
}

bool WorkClock::hasPassed(Seconds limit) const
{
    return passed() >= limit && elapsed() >= limit;
}

} // namespace stagecraft
