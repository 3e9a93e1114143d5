#include "core/measure/cpu_contention.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace stagecraft {

CpuContention::Times CpuContention::now()
{
    namespace fs = std::filesystem;
    Times sum;
    std::error_code problem;
    for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task", problem)) {
        std::ifstream file(thread.path() / "schedstat");
        Times times;
        if (file >> times.running >> times.waiting) {
            sum.running += times.running;
            sum.waiting += times.waiting;
        }
    }
    return sum;
}

double CpuContention::soFar() const
{
    const Times end = now();
    // A thread that ended takes its times along.
    const auto running = static_cast<double>(std::max<std::int64_t>(0, end.running - m_start.running));
    const auto waiting = static_cast<double>(std::max<std::int64_t>(0, end.waiting - m_start.waiting));
    return waiting > 0 ? waiting / (waiting + running) : 0;
}

} // namespace stagecraft
