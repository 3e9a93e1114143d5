#include "core/base/work_budget.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Work that goes into a second of the limit: less than what a machine can do in it.
constexpr double workPerSecond = 1.1e9;

} // namespace

IsOver overOf(const Progress& progress, Seconds moment)
{
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(moment.value()));
    return [&progress, end] {
        return progress.stopRequested() || (progress.isLate() && std::chrono::steady_clock::now() >= end);
    };
}

WorkBudget::WorkBudget(Seconds limit, const Progress& progress)
    : m_progress(progress), m_limit(limit), m_all(limit.value() * workPerSecond), m_left(m_all)
{
}

WorkBudget WorkBudget::part(double share) const
{
    WorkBudget part = *this;
    part.m_clock = WorkClock();
    part.m_limit = std::max(Seconds(0), m_limit - m_clock.elapsed()) * share;
    part.m_all = std::max(0.0, m_left) * share;
    part.m_left = part.m_all;
    return part;
}

bool WorkBudget::spend(std::uint64_t work)
{
    m_left -= static_cast<double>(work);
    if (m_left <= 0)
        return true;
    return isOver();
}

IsOver WorkBudget::patience()
{
    static constexpr Seconds grace(0.2);
    return [this] { return m_progress.stopRequested() || (m_clock.hasPassed(grace) && isOver()); };
}

bool WorkBudget::isOver()
{
    const bool over = m_progress.stopRequested() || m_progress.isLate() || m_clock.hasPassed(m_limit);
    m_cutShort |= over && m_left > 0;
    return m_cutShort || over;
}

double WorkBudget::fractionSpent() const
{
    return m_all > 0 ? std::clamp(std::max(1 - m_left / m_all, m_clock.elapsed() / m_limit), 0.0, 1.0) : 1;
}

} // namespace stagecraft
