// TimeLeft: how long work will go on, if the rest of it goes as fast as what is done.
#pragma once

#include "core/base/quantities.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

class TimeLeft
{
public:
    using Clock = std::chrono::steady_clock;

    // To be told whenever progress is reported (progress.h). Another activity, or one that is less done than
    // it was, counts anew. None before there is enough to tell by: the first three seconds, and 2 % of the
    // work.
    std::optional<Seconds> after(std::string_view activity, double fraction,
                                 Clock::time_point now = Clock::now())
    {
        if (activity != m_activity || fraction < m_fraction) {
            m_activity = activity;
            m_begin = now;
            m_before = fraction;
        }
        m_fraction = fraction;
        const double elapsed = std::chrono::duration<double>(now - m_begin).count();
        const double done = fraction - m_before;
        if (elapsed < 3 || done < 0.02 || fraction >= 1)
            return std::nullopt;
        return Seconds(elapsed * (1 - fraction) / done);
    }

private:
    std::string m_activity;
    Clock::time_point m_begin{};
    double m_before = 0; // done when it began
    double m_fraction = 0;
};

// In whole units that do not flicker: "5 s", "40 s", "3 min", "2 h".
inline std::string roughTimeText(Seconds seconds)
{
    const double value = std::max(seconds.value(), 1.0);
    const auto text = [](double number, const char* unit) {
        return std::to_string(std::lround(number)) + unit;
    };
    if (value < 20)
        return text(value, " s");
    if (value < 95)
        return text(std::round(value / 10) * 10, " s");
    if (value < 5700)
        return text(value / 60, " min");
    return text(value / 3600, " h");
}

} // namespace stagecraft
