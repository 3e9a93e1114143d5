#include "views/plan/trade_slider.h"

#include "views/base/format.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

QWidget* scaleOf(QSlider* slider, QLabel* figures)
{
    auto* scale = new QWidget;
    auto* ends = new QHBoxLayout;
    ends->addWidget(new QLabel(QObject::tr("less memory")));
    ends->addWidget(slider, 1);
    ends->addWidget(new QLabel(QObject::tr("less time")));
    auto* layout = new QVBoxLayout(scale);
    layout->setContentsMargins(em(scale, 0.7), em(scale, 0.3), em(scale, 0.7), em(scale, 0.3));
    layout->addLayout(ends);
    layout->addWidget(figures);
    return scale;
}

} // namespace

TradeSlider::TradeSlider(QWidget* parent) : TradeSlider(new QSlider(Qt::Horizontal), new QLabel, parent) {}

TradeSlider::TradeSlider(QSlider* slider, QLabel* figures, QWidget* parent)
    : OnDemandPanel({.button = tr("Weigh memory against time"),
                     .promise = tr("With how little memory the stages can do when backward runs things "
                                   "again, and what time that costs."),
                     .nothing = tr("Memory can be weighed against time once there is a training step.")},
                    scaleOf(slider, figures), parent),
      m_slider(slider),
      m_figures(figures)
{
    setAccessibleName(tr("Memory against time"));
    m_slider->setAccessibleName(tr("Memory against time"));
    m_slider->setToolTip(tr("What runs again in backward so that no stage holds more; the stages stay"));
    m_slider->setPageStep(4);
    m_figures->setWordWrap(true);
    m_figures->setTextFormat(Qt::PlainText);
    m_figures->setAccessibleName(tr("What that costs"));
    leaveWheelToParent(m_slider);
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        showFigures();
        if (!m_slider->isSliderDown())
            choose();
    });
    connect(m_slider, &QSlider::sliderReleased, this, &TradeSlider::choose);
}

void TradeSlider::setPoints(std::vector<TradePoint> points)
{
    const QSignalBlocker quiet(m_slider);
    m_points = std::move(points);
    m_slider->setRange(0, std::max(0, static_cast<int>(m_points.size()) - 1));
    m_slider->setEnabled(m_points.size() > 1);
    m_current.reset();
    showFigures();
    setAnswer(m_points.empty() ? Answer::Missing : Answer::There);
}

void TradeSlider::setCurrent(std::size_t point, Match match)
{
    if (point >= m_points.size() || m_slider->isSliderDown())
        return;
    m_current = match == Match::Same ? std::optional(point) : std::nullopt;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(point));
    showFigures();
}

QString TradeSlider::text() const
{
    return m_figures->text();
}

void TradeSlider::showFigures()
{
    const auto index = static_cast<std::size_t>(m_slider->value());
    if (index >= m_points.size())
        return m_figures->clear();
    const TradePoint& point = m_points[index];
    QString text =
        tr("%1 at most in a stage · slowest stage %2 · ").arg(toText(point.memory), toText(point.slowest));
    text += point.again > 0 ? tr("%1 of all computing runs again").arg(percentText(point.again))
                            : tr("nothing runs again");
    if (!m_current)
        text.prepend(tr("Another plan than now: "));
    m_figures->setText(m_points.size() > 1 ? text : text + tr(": nothing here can run again with a gain"));
}

void TradeSlider::choose()
{
    const auto index = static_cast<std::size_t>(m_slider->value());
    if (index >= m_points.size() || index == m_current)
        return;
    m_current = index;
    emit chosen(index);
}

} // namespace stagecraft
