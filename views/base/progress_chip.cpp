#include "views/base/progress_chip.h"

#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr int delayMilliseconds = 400;
constexpr int tickMilliseconds = 200;

} // namespace

QString elapsedText(qint64 milliseconds)
{
    if (milliseconds < 10'000)
        return QObject::tr("%1 s").arg(static_cast<double>(milliseconds) / 1000, 0, 'f', 1);
    const qint64 seconds = milliseconds / 1000;
    if (seconds < 60)
        return QObject::tr("%1 s").arg(seconds);
    return QObject::tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60, 2, 10, QChar('0'));
}

ProgressChip::ProgressChip(QWidget* parent)
    : QFrame(parent),
      m_text(new QLabel),
      m_elapsedText(new QLabel),
      m_bar(new QProgressBar),
      m_cancel(new QToolButton)
{
    setAccessibleName(tr("Running job"));
    m_text->setTextFormat(Qt::PlainText);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(em(this, 6));
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setIcon(themedIcon("close"));
    m_cancel->setToolTip(tr("Cancel (Esc)"));
    m_cancel->setAccessibleName(tr("Cancel the job"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(em(this, 0.4), 0, 0, 0);
    layout->setSpacing(em(this, 0.5));
    for (QWidget* widget : {static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_bar),
                            static_cast<QWidget*>(m_elapsedText), static_cast<QWidget*>(m_cancel)})
        layout->addWidget(widget);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMilliseconds);
    m_tick.setInterval(tickMilliseconds);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        showText();
        show();
        m_tick.start();
    });
    connect(&m_tick, &QTimer::timeout, this, &ProgressChip::showText);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        m_cancel->setEnabled(false);
        m_text->setText(tr("Cancelling %1").arg(m_name));
        emit cancelRequested();
    });
    hide();
}

void ProgressChip::cancel()
{
    m_cancel->click();
}

void ProgressChip::start(const QString& name)
{
    m_name = name;
    m_fraction.reset();
    m_left = {};
    m_timeLeft.reset();
    m_running = true;
    m_cancel->setEnabled(true);
    m_elapsed.start();
    m_delay.start();
}

void ProgressChip::setProgress(const QString& activity, std::optional<double> fraction)
{
    if (!m_running)
        return;
    if (!activity.isEmpty())
        m_name = activity;
    m_fraction = fraction;
    if (!fraction)
        m_left = {};
    m_timeLeft = fraction ? m_left.after(m_name.toStdString(), *fraction) : std::nullopt;
    if (isVisible())
        showText();
}

void ProgressChip::finish()
{
    m_running = false;
    m_delay.stop();
    m_tick.stop();
    hide();
}

void ProgressChip::showText()
{
    const QString elapsed = elapsedText(m_elapsed.elapsed());
    m_elapsedText->setText(
        m_timeLeft ? tr("%1, about %2 left").arg(elapsed, shownText(roughTimeText(*m_timeLeft))) : elapsed);
    const bool isKnown = m_fraction && *m_fraction < 1; // what goes on when all is done tells no more
    m_bar->setRange(0, isKnown ? 1000 : 0);
    if (!m_cancel->isEnabled())
        return;
    if (!isKnown) {
        m_text->setText(m_name);
        return;
    }
    const double fraction = std::clamp(*m_fraction, 0.0, 1.0);
    m_bar->setValue(static_cast<int>(std::lround(fraction * 1000)));
    m_text->setText(tr("%1 %2 %").arg(m_name, QString::number(std::lround(fraction * 100))));
    setAccessibleDescription(m_text->text());
}

} // namespace stagecraft
