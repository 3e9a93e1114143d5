#include "core/base/progress.h"

#include <algorithm>

namespace stagecraft {

namespace {
constexpr std::chrono::milliseconds reportInterval{40};
}

Progress::Progress(std::stop_token stop, Report report) : m_stop(std::move(stop)), m_report(std::move(report))
{
}

Progress Progress::until(std::chrono::steady_clock::time_point end) const
{
    Progress limited = *this;
    limited.m_end = m_end ? std::min(*m_end, end) : end;
    return limited;
}

Progress Progress::silent() const
{
    Progress quiet = *this;
    quiet.m_report = {};
    return quiet;
}

Result<void> Progress::step(std::string_view activity, std::size_t done, std::size_t total) const
{
    if (stopRequested())
        return cancelled();
    if (!m_report)
        return {};
    const auto now = std::chrono::steady_clock::now();
    if (now - m_lastReport < reportInterval && done < total)
        return {};
    m_lastReport = now;
    m_report(activity, total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total));
    return {};
}

Result<void> Progress::begin(std::string_view activity) const
{
    if (stopRequested())
        return cancelled();
    if (m_report)
        m_report(activity, std::nullopt);
    return {};
}

Error cancelled()
{
    return {ErrorCode::Cancelled, "cancelled"};
}

} // namespace stagecraft
