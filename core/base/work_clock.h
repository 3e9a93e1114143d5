// WorkClock: time as a limit of work counts it, which is what the work has had of a processor. So a machine
// that is busy with other things makes it longer, and not worse. It ends all the same: a quarter of the time
// that passes counts in any case.
#pragma once

#include "core/base/quantities.h"

#include <chrono>
#include <ctime>

#include <sys/types.h>

namespace stagecraft {

class WorkClock
{
public:
    // Of the thread that makes it and asks it.
    WorkClock() : WorkClock(CLOCK_THREAD_CPUTIME_ID) {}
    // Of a child of this program.
    static WorkClock ofProcess(pid_t process);

    // What counts of the time since it was made.
    Seconds elapsed() const;
    // The same as elapsed() >= limit, and cheap until `limit` has passed on the wall: to be asked often.
    bool hasPassed(Seconds limit) const;
    // All of the time since it was made, as a person's watch has it.
    Seconds passed() const;

private:
    explicit WorkClock(clockid_t processor);
    Seconds worked() const; // since the processor's clock began

    clockid_t m_processor;
    Seconds m_workedBefore;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

} // namespace stagecraft
