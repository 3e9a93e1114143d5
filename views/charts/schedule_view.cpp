#include "views/charts/schedule_view.h"

#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/widgets.h"
#include "views/charts/picture_tools.h"
#include "views/charts/step_difference.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace stagecraft {

ScheduleView::ScheduleView(Selection* selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_theme(applicationTheme()), m_dismiss(new QToolButton(this))
{
    m_dismiss->setText(QStringLiteral("✕"));
    m_dismiss->setAutoRaise(true);
    m_dismiss->setToolTip(tr("Take the step below away"));
    m_dismiss->setAccessibleName(tr("Take the step below away"));
    m_dismiss->hide();
    connect(m_dismiss, &QToolButton::clicked, this,
            [this] { m_measured ? emit measuredDismissed() : emit comparedDismissed(); });
    new PictureTools(this, tr("Schedule"), [this] {
        return spansCsv(m_figures ? &m_figures->timeline : nullptr,
                        hasLanes() ? &timelineOf(Lane::Below) : nullptr);
    });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Schedule"));
    setAccessibleDescription(tr("The timeline of a step, a row a device"));
    connect(selection, &Selection::stageChanged, this, qOverload<>(&QWidget::update));
    onShow(this, [this] { emit shown(); });
    onThemeChange(this, [this] {
        m_theme = applicationTheme();
        update();
    });
}

void ScheduleView::setFigures(std::shared_ptr<const ScheduleFigures> figures)
{
    const bool wasWhole = !m_figures || m_geometry.to - m_geometry.from >= whole().value() * 0.999;
    m_figures = std::move(figures);
    m_hovered.reset();
    if (wasWhole || !m_figures || m_geometry.to > whole().value())
        fit();
    layOut();
    update();
}

void ScheduleView::setMeasured(std::shared_ptr<const MeasuredFigures> measured)
{
    if (measured == m_measured)
        return;
    const Seconds before = whole();
    m_measured = std::move(measured);
    takeBelow(before);
}

void ScheduleView::setCompared(std::shared_ptr<const ScheduleFigures> other)
{
    if (other == m_compared)
        return;
    const Seconds before = whole();
    m_compared = std::move(other);
    takeBelow(before);
}

// `before`: how long the longer of the two steps was.
void ScheduleView::takeBelow(Seconds before)
{
    m_hovered.reset();
    m_dismiss->setVisible(hasLine());
    if (whole() != before) // else what a person looks at stays in sight
        fit();
    layOut();
    update();
}

QString ScheduleView::belowSummary() const
{
    if (showsCompared())
        return tr("below, B: %1: %2").arg(m_compared->title, stepText(*m_compared));
    if (!m_measured)
        return {};
    if (!m_measured->problem.isEmpty())
        return tr("%1: %2").arg(m_measured->name, m_measured->problem);
    const QString text = tr("below, measured: %1").arg(differenceText(m_measured->comparison));
    QStringList all{text};
    if (!m_measured->note.isEmpty())
        all << m_measured->note;
    if (m_compared)
        all << tr("B shows again without it");
    return all.join(QStringLiteral("; "));
}

Seconds ScheduleView::whole() const
{
    if (!m_figures)
        return {};
    const Seconds planned = m_figures->timeline.makespan;
    return hasLanes() ? std::max(planned, timelineOf(Lane::Below).makespan) : planned;
}

const Timeline& ScheduleView::timelineOf(Lane lane) const
{
    if (lane == Lane::Planned)
        return m_figures->timeline;
    return m_measured ? m_measured->timeline : m_compared->timeline;
}

std::optional<ScheduleView::Place> ScheduleView::placeAt(QPointF point) const
{
    if (!m_figures)
        return {};
    for (const Lane lane : {Lane::Planned, Lane::Below})
        if (lane == Lane::Planned || hasLanes())
            if (const auto span = spanAt(timelineOf(lane), m_geometry, point, lane))
                return Place{lane, *span};
    return {};
}

ScheduleHeader ScheduleView::header() const
{
    ScheduleHeader header{.title = m_figures ? m_figures->title : QString(),
                          .figures = summary(),
                          .below = hasLine() ? belowSummary() : QString(),
                          .isFault = m_measured && !m_measured->problem.isEmpty(),
                          .font = font(),
                          .gap = em(this, spacing::medium),
                          .width = width(),
                          .besideLine = m_dismiss->sizeHint().width()};
    if (m_figures)
        header.legend = scheduleLegend(m_figures->timeline, hasLanes() ? &timelineOf(Lane::Below) : nullptr);
    return header;
}

QString ScheduleView::summary() const
{
    return m_figures ? stepText(*m_figures) : QString();
}

QString ScheduleView::describe(std::size_t index, Lane lane) const
{
    const ActionSpan& span = timelineOf(lane).spans[index];
    if (lane == Lane::Below && showsMeasured()) {
        // What was planned says it all.
        const auto planned = std::ranges::find(m_figures->timeline.spans, span.action, &ActionSpan::action);
        return planned == m_figures->timeline.spans.end()
                   ? QString()
                   : describe(static_cast<std::size_t>(planned - m_figures->timeline.spans.begin()));
    }
    QString text = actionText(span);
    if (showsCompared())
        text.prepend(lane == Lane::Below ? tr("B: ") : tr("A: "));
    return showsMeasured() ? text + '\n' + actionDifference(m_measured->comparison, span.action) : text;
}

QSize ScheduleView::sizeHint() const
{
    return {em(this, 40), em(this, 14)};
}

QSize ScheduleView::minimumSizeHint() const
{
    return {em(this, 12), em(this, 5)};
}

void ScheduleView::fit()
{
    m_geometry.from = 0;
    m_geometry.to = m_figures ? std::max(whole().value(), 1e-12) : 1;
}

void ScheduleView::layOut()
{
    const double gap = em(this, spacing::medium);
    const double left = gap + em(this, 2);
    const ScheduleHeader above = header();
    const double top = above.bottom();
    const double right = gap + fontMetrics().horizontalAdvance(QStringLiteral("000.0 GiB"));
    const double bottom = gap + fontMetrics().height();
    m_geometry.hasLanes = hasLanes();
    const QRectF line = above.belowLine();
    m_dismiss->setGeometry(QRect({static_cast<int>(line.right()),
                                  static_cast<int>(line.center().y()) - m_dismiss->sizeHint().height() / 2},
                                 m_dismiss->sizeHint()));
    m_geometry.deviceCount = m_figures ? m_figures->timeline.devices.size() : 0;
    if (hasLanes())
        m_geometry.deviceCount = std::max(m_geometry.deviceCount, timelineOf(Lane::Below).devices.size());
    const double tallest = static_cast<double>(m_geometry.deviceCount) * em(this, 6); // rows, not blocks
    const double room = std::max(1.0, height() - top - bottom);
    m_geometry.area = QRectF(left, top, std::max(1.0, width() - left - right),
                             m_geometry.deviceCount > 0 ? std::min(room, tallest) : room);
}

void ScheduleView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.surface);
    if (!m_figures || m_geometry.deviceCount == 0) {
        painter.setPen(m_theme.mutedText);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The timeline of a step shows here once there is a plan."));
        return;
    }
    paintScheduleHeader(painter, header(), m_theme);
    drawAxis(painter);
    for (std::size_t device = 0; device < m_geometry.deviceCount; ++device)
        drawRow(painter, device);
    painter.save();
    painter.setClipRect(m_geometry.area);
    for (const ActionSpan& span : m_figures->timeline.spans)
        drawTransfers(painter, span);
    for (const Lane lane : {Lane::Planned, Lane::Below})
        for (std::size_t i = 0; (lane == Lane::Planned || hasLanes()) && i < timelineOf(lane).spans.size();
             ++i)
            drawSpan(painter, {lane, i});
    drawCriticalPath(painter);
    painter.restore();
    for (std::size_t device = 0; device < m_figures->timeline.devices.size(); ++device)
        drawMemory(painter, device);
    if (hasFocus())
        drawFocusFrame(painter, rect(), m_theme);
}

void ScheduleView::drawRow(QPainter& painter, std::size_t device) const
{
    const QRectF bar = m_geometry.bar(device) | m_geometry.bar(device, Lane::Below);
    for (const Lane lane : {Lane::Planned, Lane::Below})
        painter.fillRect(m_geometry.bar(device, lane), m_theme.highContrast
                                                           ? m_theme.surface
                                                           : mixed(m_theme.surface, m_theme.border, 0.35));
    painter.setPen(m_theme.mutedText);
    const double gap = em(this, spacing::medium);
    painter.drawText(QRectF(0, bar.top(), m_geometry.area.left() - gap, bar.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(device + 1));
}

void ScheduleView::drawTransfers(QPainter& painter, const ActionSpan& span) const
{
    const QRectF box = m_geometry.compute(span);
    const double middle = box.center().y();
    const double thin = box.height() / 6;
    const auto transfer = [&](Seconds from, Seconds to) {
        if (to > from)
            painter.fillRect(
                QRectF(QPointF(m_geometry.x(from), middle - thin), QPointF(m_geometry.x(to), middle + thin)),
                m_theme.mutedText);
    };
    transfer(span.receiveStart, span.start);
    transfer(span.made, span.sendEnd);
}

void ScheduleView::drawSpan(QPainter& painter, Place place) const
{
    const ActionSpan& span = timelineOf(place.lane).spans[place.span];
    const QRectF box = m_geometry.compute(span, place.lane);
    if (box.right() < m_geometry.area.left() || box.left() > m_geometry.area.right())
        return;
    const StageId stage(span.action.stage);
    const QColor color =
        mixed(m_theme.surface, stageColor(m_theme, stage), lookOf(span.action.kind).strength);
    painter.fillRect(box, color);
    const auto chosen = m_selection->stage();
    // The same action in both lanes.
    const bool hovered =
        m_hovered && timelineOf(m_hovered->lane).spans[m_hovered->span].action == span.action;
    if (hovered || (chosen && *chosen == stage)) {
        painter.setPen(QPen(hovered ? m_theme.text : m_theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    } else if (box.width() > 3) {
        painter.setPen(m_theme.surface); // a gap between neighbours
        painter.drawLine(box.topRight(), box.bottomRight());
    }
    const QString number = QString::number(span.action.microbatch + 1);
    if (box.height() >= fontMetrics().ascent() &&
        box.width() > fontMetrics().horizontalAdvance(number) + em(this, spacing::small)) {
        painter.setPen(textColorOn(color));
        painter.drawText(box, Qt::AlignCenter, number);
    }
}

void ScheduleView::drawMemory(QPainter& painter, std::size_t device) const
{
    const QRectF area = m_geometry.memory(device);
    const DeviceUse& use = m_figures->timeline.devices[device];
    const Bytes limit =
        device < m_figures->memoryLimits.size() ? m_figures->memoryLimits[device] : Bytes::max();
    Bytes most;
    for (const DeviceUse& other : m_figures->timeline.devices)
        most = std::max(most, other.peakMemory);
    const bool isOver = use.peakMemory > limit;
    if (most > Bytes{}) {
        const auto y = [&](Bytes bytes) {
            return area.bottom() - bytes.asDouble() / most.asDouble() * area.height();
        };
        QPainterPath path(area.bottomLeft());
        double last = area.bottom();
        for (const MemoryStep& step : m_figures->timeline.memory[device]) {
            const double x = std::clamp(m_geometry.x(step.time), area.left(), area.right());
            path.lineTo(x, last);
            last = y(step.bytes);
            path.lineTo(x, last);
        }
        path.lineTo(area.right(), last);
        path.lineTo(area.bottomRight());
        painter.fillPath(path, mixed(m_theme.surface, isOver ? m_theme.danger : m_theme.mutedText, 0.4));
        if (limit <= most) {
            painter.setPen(QPen(m_theme.danger, 1, Qt::DashLine));
            painter.drawLine(QPointF(area.left(), y(limit)), QPointF(area.right(), y(limit)));
        }
    }
    painter.setPen(isOver ? m_theme.danger : m_theme.mutedText);
    painter.drawText(QRectF(area.right(), m_geometry.row(device).top(),
                            width() - area.right() - em(this, spacing::medium),
                            m_geometry.row(device).height()),
                     Qt::AlignRight | Qt::AlignVCenter, toText(use.peakMemory));
}

// A line along the bottom of the actions that decide how long the step is.
void ScheduleView::drawCriticalPath(QPainter& painter) const
{
    painter.setPen(QPen(m_theme.text, 2));
    for (const std::size_t index : m_figures->timeline.criticalPath) {
        const QRectF box = m_geometry.compute(m_figures->timeline.spans[index]);
        painter.drawLine(QPointF(box.left(), box.bottom()), QPointF(box.right(), box.bottom()));
    }
}

void ScheduleView::drawAxis(QPainter& painter) const
{
    const int most = std::max(2, static_cast<int>(m_geometry.area.width()) / em(this, 7));
    const double step = tickStep(m_geometry.to - m_geometry.from, most);
    for (double time = std::ceil(m_geometry.from / step) * step; time <= m_geometry.to; time += step) {
        const double x = m_geometry.x(Seconds(time));
        painter.setPen(m_theme.grid);
        painter.drawLine(QPointF(x, m_geometry.area.top()), QPointF(x, m_geometry.area.bottom()));
        painter.setPen(m_theme.mutedText);
        const double half = em(this, 4);
        painter.drawText(QRectF(x - half, m_geometry.area.bottom(), 2 * half, fontMetrics().height()),
                         Qt::AlignCenter, toText(Seconds(time)));
    }
}

void ScheduleView::setHovered(std::optional<Place> place)
{
    if (place == m_hovered)
        return;
    m_hovered = place;
    update();
}

void ScheduleView::resizeEvent(QResizeEvent*)
{
    layOut();
}

bool ScheduleView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !showsMeasured())
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (!header().belowLine().contains(help->pos()))
        return QWidget::event(event);
    QToolTip::showText(
        help->globalPos(),
        toolTipText(m_measured->name + '\n' + differenceCauses(m_measured->comparison).join('\n')), this);
    return true;
}

void ScheduleView::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(placeAt(event->position()));
    const QString text = m_hovered   ? describe(m_hovered->span, m_hovered->lane)
                         : m_figures ? heldText(*m_figures, m_geometry, event->position())
                                     : QString();
    if (!text.isEmpty())
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
    else
        QToolTip::hideText();
}

void ScheduleView::mousePressEvent(QMouseEvent* event)
{
    if (!m_figures || event->button() != Qt::LeftButton)
        return;
    if (const auto place = placeAt(event->position()))
        m_selection->setStage(StageId(timelineOf(place->lane).spans[place->span].action.stage));
    else
        m_selection->setStage({});
}

void ScheduleView::mouseDoubleClickEvent(QMouseEvent*)
{
    fit();
    update();
}

void ScheduleView::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    const bool isZoom = event->modifiers().testFlag(Qt::ControlModifier);
    look(isZoom ? m_geometry.zoomed(std::pow(1.2, turn.y() / 120.0), event->position().x(), whole())
                : m_geometry.moved(-(turn.x() != 0 ? turn.x() : turn.y()), whole()));
    event->accept();
}

void ScheduleView::look(const ScheduleGeometry& geometry)
{
    if (!m_figures)
        return;
    m_geometry = geometry;
    setHovered({});
    update();
}

void ScheduleView::keyPressEvent(QKeyEvent* event)
{
    if (const auto there = m_geometry.after(event->key(), em(this, 5), whole()))
        return look(*there);
    switch (event->key()) {
    case Qt::Key_Up:
        return chooseStage(-1);
    case Qt::Key_Down:
        return chooseStage(1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void ScheduleView::chooseStage(int step)
{
    if (!m_figures || m_figures->timeline.stageCount == 0)
        return;
    const int last = static_cast<int>(m_figures->timeline.stageCount) - 1;
    const auto chosen = m_selection->stage();
    const int next = chosen ? std::clamp(static_cast<int>(chosen->index()) + step, 0, last) : 0;
    m_selection->setStage(StageId(static_cast<std::size_t>(next)));
}

void ScheduleView::leaveEvent(QEvent* event)
{
    setHovered({});
    QWidget::leaveEvent(event);
}

} // namespace stagecraft
