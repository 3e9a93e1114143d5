// How many threads operators may use, for as long as this lives.
#pragma once

namespace stagecraft {

class ThreadCount
{
public:
    // 0: as many as now.
    explicit ThreadCount(int threads);
    ~ThreadCount();
    ThreadCount(const ThreadCount&) = delete;
    ThreadCount& operator=(const ThreadCount&) = delete;

private:
    int m_before;
};

} // namespace stagecraft
