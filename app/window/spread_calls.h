// SpreadCalls: what follows from a change that comes many times a second, one part in each turn of the event
// loop, so that none holds the window for longer than a frame.
#pragma once

#include <QTimer>

#include <functional>
#include <vector>

namespace stagecraft {

class SpreadCalls : public QObject
{
    Q_OBJECT

public:
    SpreadCalls(std::vector<std::function<void()>> parts, QObject* parent);

    // Every part is called after this, in order, in turns of their own. Asked again meanwhile, it goes on
    // with the part that was next, and round: none waits for ever.
    void callAll();
    // No part is called any more until the next callAll().
    void drop() { m_waiting = 0; }
    bool isWaiting() const { return m_waiting > 0; }

private:
    void callNext();

    std::vector<std::function<void()>> m_parts;
    std::size_t m_next = 0;
    std::size_t m_waiting = 0; // so many, from the next on
    QTimer m_timer;
};

} // namespace stagecraft
