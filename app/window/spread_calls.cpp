#include "app/window/spread_calls.h"

namespace stagecraft {

SpreadCalls::SpreadCalls(std::vector<std::function<void()>> parts, QObject* parent)
    : QObject(parent), m_parts(std::move(parts))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SpreadCalls::callNext);
}

void SpreadCalls::callAll()
{
    if (!isWaiting())
        m_next = 0;
    m_waiting = m_parts.size();
    m_timer.start(0);
}

void SpreadCalls::callNext()
{
    if (!isWaiting())
        return;
    const std::size_t part = m_next;
    m_next = (m_next + 1) % m_parts.size();
    --m_waiting;
    if (isWaiting())
        m_timer.start(0);
    m_parts[part]();
}

} // namespace stagecraft
