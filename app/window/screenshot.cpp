#include "app/window/screenshot.h"

#include "app/window/main_window.h"

#include <QPixmap>

namespace stagecraft {

Screenshot::Screenshot(MainWindow& window, QString path, Framing framing)
    : m_window(window), m_path(std::move(path)), m_framing(framing)
{
    connect(&window.document(), &Document::failed, this, [this](const QString& text) { m_failure = text; });
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
    m_timer.start(100);
}

void Screenshot::look()
{
    // A few calm looks one after another: between two jobs, nothing is under way for a moment.
    constexpr int wanted = 5;
    m_calmLooks = m_window.document().isSettled() ? m_calmLooks + 1 : 0;
    if (m_calmLooks < wanted)
        return;
    if (m_framing == Framing::WholeGraph) {
        m_framing = Framing::Opening;
        m_calmLooks = 0;
        m_window.actionTable().fitAll->trigger();
        return;
    }
    m_timer.stop();
    if (!m_window.document().hasModel())
        return emit finished(m_failure.isEmpty() ? tr("no model was opened") : m_failure);
    emit finished(m_window.grab().save(m_path) ? QString() : tr("%1: cannot be written").arg(m_path));
}

} // namespace stagecraft
