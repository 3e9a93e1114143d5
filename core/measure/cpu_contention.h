// CpuContention: how much of its time this process waited for a processor because other work had it.
//
// Times by the wall clock are too high by about that much, and by more where threads wait for each other.
#pragma once

#include <cstdint>

namespace stagecraft {

class CpuContention
{
public:
    CpuContention() : CpuContention(now()) {}
    // As if it had been made when the process began.
    static CpuContention ofProcess() { return CpuContention(Times{}); }

    // Since it was made, over all threads: waiting / (waiting + running), 0 .. 1. 0 where the system does not
    // tell.
    double soFar() const;

private:
    struct Times
    {
        std::int64_t running = 0; // nanoseconds
        std::int64_t waiting = 0;
    };
    explicit CpuContention(Times start) : m_start(start) {}
    static Times now();

    Times m_start;
};

} // namespace stagecraft
