// ProgressChip: a running job in the status bar: what it does, how far it is, how long, also still, and a
// cancel button.
//
// Appears only after 400 ms, so that quick work does not flicker.
#pragma once

#include "core/base/time_left.h"

#include <QElapsedTimer>
#include <QFrame>
#include <QTimer>

#include <optional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace stagecraft {

class ProgressChip : public QFrame
{
    Q_OBJECT

public:
    explicit ProgressChip(QWidget* parent = nullptr);

    void start(const QString& name);
    // `fraction` 0 .. 1; none: unknown.
    void setProgress(const QString& activity, std::optional<double> fraction);
    void finish();
    bool isRunning() const { return m_running; }
    void cancel(); // as its button does; nothing is done twice

signals:
    void cancelRequested();

private:
    void showText();

    QLabel* m_text;
    QLabel* m_elapsedText;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QTimer m_delay;
    QTimer m_tick;
    QElapsedTimer m_elapsed;
    QString m_name;
    std::optional<double> m_fraction;
    TimeLeft m_left;
    std::optional<Seconds> m_timeLeft;
    bool m_running = false;
};

// "0.8 s", "12 s", "3 min 05 s".
QString elapsedText(qint64 milliseconds);

} // namespace stagecraft
