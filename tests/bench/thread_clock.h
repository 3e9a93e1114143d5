// Time of the processor, in this thread: a machine may be busy with other things.
#pragma once

#include <ctime>

namespace stagecraft::bench {

class ThreadClock
{
public:
    double seconds() const { return now() - m_begin; }

private:
    static double now()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }
    double m_begin = now();
};

} // namespace stagecraft::bench
