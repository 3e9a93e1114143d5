#include "app/screenshot.h"

#include "app/main_window.h"

#include <QPixmap>

namespace stagecraft {

Screenshot::Screenshot(MainWindow& window, QString path, QObject* parent)
    : QObject(parent), m_window(window), m_path(std::move(path))
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
    m_timer.stop();
    if (!m_window.document().hasModel())
        return emit finished(m_failure.isEmpty() ? tr("no model was opened") : m_failure);
    emit finished(m_window.grab().save(m_path) ? QString() : tr("%1: cannot be written").arg(m_path));
}

} // namespace stagecraft
