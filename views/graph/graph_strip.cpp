#include "views/graph/graph_strip.h"

#include "views/base/colors.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <span>

namespace stagecraft {

namespace {

constexpr int stageWidth = 6;
constexpr int markReach = 4;      // pixels from a boundary's line that still grab it
constexpr int smallestFrame = 10; // that can be met with the mouse

} // namespace

GraphStrip::GraphStrip(const GraphPaint& paint, QWidget* parent) : QWidget(parent), m_paint(paint)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setAccessibleName(tr("Overview of the model"));
    setToolTip(
        tr("The whole model in the order of running, how long its ops take, and what the graph shows"));
}

void GraphStrip::refresh()
{
    m_picture = QImage();
    if (m_dragged && m_dragged->index() >= m_paint.boundaryCount())
        m_dragged.reset();
    update();
}

void GraphStrip::setShown(std::size_t first, std::size_t end)
{
    if (first == m_first && end == m_end)
        return;
    m_first = first;
    m_end = end;
    setAccessibleDescription(tr("The graph shows ops %1 to %2 of %3").arg(first + 1).arg(end).arg(count()));
    update();
}

void GraphStrip::setMatches(const std::optional<std::vector<NodeId>>& matches)
{
    m_matches.clear();
    if (matches && m_paint.layout)
        for (const NodeId node : *matches)
            m_matches.push_back(m_paint.layout->tree->positionOf[node]);
    refresh();
}

int GraphStrip::yOf(std::size_t position) const
{
    const double share =
        static_cast<double>(position) / static_cast<double>(std::max<std::size_t>(1, count()));
    return static_cast<int>(std::lround(share * height()));
}

std::size_t GraphStrip::positionAt(int y) const
{
    const double share = std::clamp(static_cast<double>(y) / std::max(1, height()), 0.0, 1.0);
    return std::min(count() > 0 ? count() - 1 : 0,
                    static_cast<std::size_t>(share * static_cast<double>(count())));
}

QRect GraphStrip::shownFrame() const
{
    QRect frame(0, yOf(m_first), width(), std::max(smallestFrame, yOf(m_end) - yOf(m_first)));
    if (frame.bottom() >= height())
        frame.moveBottom(height() - 1);
    return frame;
}

void GraphStrip::drawPicture()
{
    const double ratio = devicePixelRatioF();
    m_picture = QImage(size() * ratio, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(m_paint.theme.window);
    if (!m_paint.layout || count() == 0)
        return;
    QPainter painter(&m_picture);
    const auto& order = m_paint.layout->tree->order;
    const auto& profile = m_paint.plan.profile;
    const double longest = m_paint.longestTime.value();
    const int room = width() - stageWidth - 5;
    for (int y = 0; y < height(); ++y) {
        const std::size_t first = positionAt(y);
        const std::size_t end = std::max(first + 1, positionAt(y + 1));
        double most = 0;
        for (std::size_t i = first; i < end && i < order.size(); ++i)
            if (profile && profile->nodes.contains(order[i]))
                most = std::max(most, profile->nodes[order[i]].time().value());
        const StageId stage = m_paint.stageOf(order[first]);
        painter.fillRect(QRect(0, y, width(), 1),
                         mixed(m_paint.theme.surface, stageTint(m_paint.theme, stage), 0.8));
        painter.fillRect(QRect(0, y, stageWidth, 1), stageColor(m_paint.theme, stage));
        if (most <= 0 || longest <= 0)
            continue;
        const double share = std::clamp(1 + std::log10(most / longest) / 3, 0.0, 1.0);
        painter.fillRect(QRect(stageWidth + 2, y, 2 + static_cast<int>(share * room), 1), viridis(share));
    }
    for (const std::size_t match : m_matches)
        painter.fillRect(QRect(width() - 9, yOf(match) - 1, 8, 3), m_paint.theme.accent);
}

void GraphStrip::paintEvent(QPaintEvent*)
{
    if (m_picture.isNull())
        drawPicture();
    QPainter painter(this);
    painter.drawImage(0, 0, m_picture);
    const Theme& theme = m_paint.theme;
    painter.fillRect(QRect(width() - 1, 0, 1, height()), theme.border);
    if (!m_paint.layout)
        return;
    const QRect frame = shownFrame();
    QColor veil = theme.window;
    veil.setAlphaF(0.45F);
    painter.fillRect(QRect(0, 0, width(), frame.top()), veil);
    painter.fillRect(QRect(0, frame.bottom() + 1, width(), height()), veil);
    painter.setPen(QPen(theme.accent, hasFocus() ? 3 : 2));
    painter.drawRect(frame.adjusted(1, 1, -2, -1));
    painter.setPen(QPen(theme.accent, 2, Qt::DotLine));
    for (const PlacedBoundary& other : m_paint.comparedBoundaries) {
        const int y = std::clamp(yOf(other.position), 1, height() - 2);
        painter.drawLine(0, y, width(), y);
    }
    for (std::size_t i = 0; i < m_paint.boundaryCount(); ++i) {
        const std::size_t place =
            m_dragged && m_dragged->index() == i ? m_place : m_paint.boundaryPositions[i];
        const int y = std::clamp(yOf(place), 1, height() - 2);
        painter.fillRect(QRect(0, y - 2, width(), 4), theme.surface);
        painter.fillRect(QRect(0, y - 1, width(), 2),
                         m_dragged && m_dragged->index() == i ? theme.accent : theme.text);
    }
}

std::optional<BoundaryId> GraphStrip::boundaryAt(int y) const
{
    std::optional<BoundaryId> nearest;
    int least = markReach + 1;
    for (std::size_t i = 0; i < m_paint.boundaryCount(); ++i)
        if (const int away = std::abs(yOf(m_paint.boundaryPositions[i]) - y); away < least) {
            least = away;
            nearest = BoundaryId(i);
        }
    return nearest;
}

std::vector<std::size_t> GraphStrip::placesOf(BoundaryId boundary) const
{
    if (m_legal)
        return m_legal(boundary);
    const auto& all = m_paint.boundaryPositions;
    const std::size_t from = boundary.index() == 0 ? 1 : all[boundary.index() - 1] + 1;
    const std::size_t to = boundary.index() + 1 < all.size() ? all[boundary.index() + 1] : count();
    std::vector<std::size_t> places;
    for (std::size_t place = from; place < to; ++place)
        places.push_back(place);
    return places;
}

void GraphStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || count() == 0)
        return;
    const int y = event->position().toPoint().y();
    if (const auto boundary = boundaryAt(y)) {
        m_places = placesOf(*boundary);
        if (!m_places.empty()) {
            m_dragged = boundary;
            m_place = m_paint.boundaryPositions[boundary->index()];
        }
        return;
    }
    m_isPressed = true;
    const QRect frame = shownFrame();
    const bool isInside = frame.contains(1, y);
    m_grip = isInside ? y - frame.center().y() : 0;
    if (!isInside)
        emit wanted(positionAt(y));
}

void GraphStrip::mouseMoveEvent(QMouseEvent* event)
{
    const int y = event->position().toPoint().y();
    if (m_dragged)
        return dragBoundary(y);
    if (m_isPressed)
        return emit wanted(positionAt(y - m_grip));
    setCursor(boundaryAt(y) ? Qt::SplitVCursor : Qt::ArrowCursor);
}

void GraphStrip::dragBoundary(int y)
{
    const auto at = static_cast<std::ptrdiff_t>(positionAt(y));
    const auto away = [&](std::size_t place) { return std::abs(static_cast<std::ptrdiff_t>(place) - at); };
    const std::size_t place = *std::ranges::min_element(m_places, {}, away);
    if (place == m_place)
        return;
    m_place = place;
    update();
    emit boundaryDragged(*m_dragged, place);
}

void GraphStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_isPressed = false;
    if (!m_dragged)
        return;
    const BoundaryId boundary = *m_dragged;
    m_dragged.reset();
    emit boundaryDropped(boundary, m_place);
    refresh();
}

void GraphStrip::giveUpDrag()
{
    if (!m_dragged)
        return;
    m_dragged.reset();
    emit dragCancelled();
    refresh();
}

void GraphStrip::step(std::ptrdiff_t by)
{
    const auto middle = static_cast<std::ptrdiff_t>((m_first + m_end) / 2);
    const auto last = static_cast<std::ptrdiff_t>(count()) - 1;
    if (last >= 0)
        emit wanted(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(middle + by, 0, last)));
}

void GraphStrip::keyPressEvent(QKeyEvent* event)
{
    const auto all = static_cast<std::ptrdiff_t>(count());
    const auto seen = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(m_end) -
                                                      static_cast<std::ptrdiff_t>(m_first));
    const std::ptrdiff_t little = std::max<std::ptrdiff_t>(1, seen / 4);
    switch (event->key()) {
    case Qt::Key_Up:
        return step(-little);
    case Qt::Key_Down:
        return step(little);
    case Qt::Key_PageUp:
        return step(-seen);
    case Qt::Key_PageDown:
        return step(seen);
    case Qt::Key_Home:
        return step(-all);
    case Qt::Key_End:
        return step(all);
    case Qt::Key_Escape:
        return m_dragged ? giveUpDrag() : event->ignore(); // it may end a job
    default:
        QWidget::keyPressEvent(event);
    }
}

void GraphStrip::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard || count() == 0)
        return event->ignore(); // the graph's menu is of what is selected
    event->accept();
    giveUpDrag();
    emit menuRequested(boundaryAt(event->y()), slowestAt(event->y()), event->globalPos());
}

NodeId GraphStrip::slowestAt(int y) const
{
    const auto& order = m_paint.layout->tree->order;
    const auto& profile = m_paint.plan.profile;
    const auto timeOf = [&](NodeId node) {
        return profile && profile->nodes.contains(node) ? profile->nodes[node].time() : Seconds();
    };
    const std::size_t first = positionAt(y);
    const auto row = std::span(order).subspan(first, std::max(first + 1, positionAt(y + 1)) - first);
    return *std::ranges::max_element(row, {}, timeOf);
}

void GraphStrip::resizeEvent(QResizeEvent* event)
{
    m_picture = QImage();
    QWidget::resizeEvent(event);
}

void GraphStrip::focusInEvent(QFocusEvent* event)
{
    update();
    QWidget::focusInEvent(event);
}

void GraphStrip::focusOutEvent(QFocusEvent* event)
{
    update();
    QWidget::focusOutEvent(event);
}

} // namespace stagecraft
