// OperatorTimer: how long the operators of a real run take, one by one, as LibTorch itself reports them.
#pragma once

#include "core/measure/stopwatch.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace stagecraft {

struct TimedOp
{
    std::string name; // "aten::addmm"
    Seconds time;
};

// Listens to the thread that made it for as long as it lives; one at a time on a thread.
class OperatorTimer
{
public:
    // Operators of these names count; one inside another of them is a part of that.
    // Short ones are timed by the wall's clock, which is the finer one, long ones by `clock`.
    OperatorTimer(std::set<std::string, std::less<>> names, Stopwatch::Clock clock);
    ~OperatorTimer();
    OperatorTimer(const OperatorTimer&) = delete;
    OperatorTimer& operator=(const OperatorTimer&) = delete;

    // In the order they began.
    const std::vector<TimedOp>& ops() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stagecraft
