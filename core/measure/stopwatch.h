// Stopwatch: the seconds since it was made.
#pragma once

#include "core/base/quantities.h"

#include <cstdint>
#include <ctime>

namespace stagecraft {

class Stopwatch
{
public:
    enum class Clock : std::uint8_t {
        Wall,
        // Of the calling thread alone: what else the machine does takes no part. For work that starts no
        // other thread.
        Thread,
    };

    explicit Stopwatch(Clock clock) : m_clock(clock), m_start(now()) {}

    Seconds elapsed() const { return Seconds(now() - m_start); }

    // The clock for operators that may use so many threads.
    static Clock clockFor(int threads) { return threads == 1 ? Clock::Thread : Clock::Wall; }

private:
    double now() const
    {
        timespec time{};
        clock_gettime(m_clock == Clock::Wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    Clock m_clock;
    double m_start;
};

} // namespace stagecraft
