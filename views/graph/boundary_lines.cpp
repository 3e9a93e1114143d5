#include "views/graph/boundary_lines.h"

#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/icons.h"

#include <QFont>
#include <QFontMetricsF>
#include <QGraphicsView>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

using State = BoundaryMark::State;

constexpr double handlePadding = 10;
constexpr double padlockSize = 13;

QString stagePair(BoundaryId boundary)
{
    return QStringLiteral("%1 | %2").arg(boundary.index() + 1).arg(boundary.index() + 2);
}

constexpr int margin = 28;   // pixels of a stage's band beyond the drawing
constexpr int lineReach = 5; // pixels from a line that still grab it

} // namespace

void paintBands(QPainter& painter, const std::vector<StageBand>& bands, const QRectF& viewport,
                const Theme& theme)
{
    if (bands.size() < 2) // a single stage needs no colour to be told apart
        return;
    for (const StageBand& band : bands) {
        const double top = std::max(band.top, viewport.top());
        const double bottom = std::min(band.bottom, viewport.bottom());
        if (bottom > top)
            painter.fillRect(QRectF(viewport.left(), top, viewport.width(), bottom - top),
                             mixed(theme.surface, stageTint(theme, band.stage), theme.dark ? 0.55 : 0.8));
    }
}

void paintGutter(QPainter& painter, const std::vector<StageBand>& bands, const QRectF& viewport,
                 const Theme& theme)
{
    const QRectF gutter(viewport.left(), viewport.top(), graph_metrics::gutterWidth, viewport.height());
    painter.fillRect(gutter, theme.window);
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(gutter.right() - 0.5, gutter.top()),
                     QPointF(gutter.right() - 0.5, gutter.bottom()));
    constexpr double chipSize = 22;
    constexpr double barWidth = 5;
    for (const StageBand& band : bands) {
        const double top = std::max(band.top, viewport.top());
        const double bottom = std::min(band.bottom, viewport.bottom());
        if (bottom - top < 2)
            continue;
        fillStage(painter, QRectF(0, top + 1, barWidth, bottom - top - 2), theme, band.stage);
        if (bottom - top < chipSize + 4)
            continue;
        // The number stays in sight while any of its stage is.
        const double y = std::clamp(top + 10, band.top, std::max(band.top, bottom - chipSize - 2));
        drawStageChip(painter, QRectF(barWidth + 6, std::max(y, top + 2), chipSize, chipSize), theme,
                      band.stage);
    }
}

void placeHandles(std::vector<BoundaryMark>& marks, double width, const QFont& font)
{
    constexpr double gap = 4;
    const double reach = graph_metrics::handleHeight + gap;
    const auto isActive = [](const BoundaryMark& mark) {
        return mark.state == State::Chosen || mark.state == State::Dragged;
    };
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const bool isCrowded = (i > 0 && marks[i].y - marks[i - 1].y < reach) ||
                               (i + 1 < marks.size() && marks[i + 1].y - marks[i].y < reach);
        if (isCrowded && !isActive(marks[i]))
            marks[i].text.clear();
    }
    std::vector<QRectF> placed; // those that are not yet wholly above
    for (BoundaryMark& mark : marks) {
        QRectF rect = handleRect(mark, font);
        std::erase_if(placed, [&](const QRectF& before) { return before.bottom() + gap < rect.top(); });
        for (bool isFree = false; !isFree;) {
            const auto other = std::ranges::find_if(placed, [&](const QRectF& before) {
                return before.adjusted(-gap, -gap, gap, gap).intersects(rect);
            });
            isFree = other == placed.end();
            if (!isFree)
                rect.moveLeft(other->right() + gap + 1);
        }
        mark.left = rect.left();
        mark.hasHandle = isActive(mark) || rect.right() <= width;
        if (mark.hasHandle)
            placed.push_back(rect);
    }
    std::ranges::stable_partition(marks, [&](const BoundaryMark& mark) { return !isActive(mark); });
}

QRectF handleRect(const BoundaryMark& mark, const QFont& font)
{
    double width =
        QFontMetricsF(boldFont(font)).horizontalAdvance(stagePair(mark.boundary)) + 2 * handlePadding;
    if (!mark.text.isEmpty())
        width += QFontMetricsF(font).horizontalAdvance(mark.text) + handlePadding + 4;
    if (mark.isLocked)
        width += padlockSize + 6;
    const double height = graph_metrics::handleHeight;
    return {mark.left, std::round(mark.y - height / 2), std::ceil(width), height};
}

void paintBoundary(QPainter& painter, const BoundaryMark& mark, const QRectF& viewport, const QFont& font,
                   const Theme& theme)
{
    const QRectF handle = handleRect(mark, font);
    if (handle.bottom() < viewport.top() || handle.top() > viewport.bottom())
        return;
    const bool isActive = mark.state == State::Chosen || mark.state == State::Dragged;
    const QColor color = isActive                       ? theme.accent
                         : mark.state == State::Hovered ? theme.text
                                                        : theme.mutedText;
    const double y = std::round(mark.y) + 0.5;
    painter.setPen(QPen(color, isActive ? 2.5 : mark.state == State::Hovered ? 2 : 1.5));
    painter.drawLine(QPointF(graph_metrics::gutterWidth, y), QPointF(viewport.right(), y));
    if (!mark.hasHandle)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, isActive ? 2 : 1.2));
    painter.setBrush(mark.state == State::Dragged ? theme.accent : theme.raised);
    painter.drawRoundedRect(handle.adjusted(0.5, 0.5, -0.5, -0.5), handle.height() / 2, handle.height() / 2);
    painter.setPen(mark.state == State::Dragged ? theme.accentText : theme.text);
    painter.setFont(boldFont(font));
    QRectF inside = handle.adjusted(handlePadding, 0, -handlePadding, 0);
    if (mark.isLocked) {
        const QRectF icon(inside.left(), handle.center().y() - padlockSize / 2 - 0.5, padlockSize,
                          padlockSize);
        paintConstraintIcon(painter, icon, ConstraintIcon::Padlock, painter.pen().color());
        inside.setLeft(icon.right() + 6);
    }
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, stagePair(mark.boundary));
    painter.setFont(font);
    if (mark.state != State::Dragged)
        painter.setPen(theme.mutedText);
    painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, mark.text);
}

void paintGhost(QPainter& painter, double y, const QRectF& viewport, const Theme& theme)
{
    painter.setPen(QPen(theme.mutedText, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(graph_metrics::gutterWidth, std::round(y) + 0.5),
                     QPointF(viewport.right(), std::round(y) + 0.5));
}

void paintOtherLine(QPainter& painter, double y, const QRectF& viewport, const Theme& theme)
{
    const double line = std::round(y) + 0.5;
    QPen dashes(theme.accent, 1.6);
    dashes.setDashPattern({6, 4});
    painter.setPen(dashes);
    painter.drawLine(QPointF(graph_metrics::gutterWidth, line), QPointF(viewport.right(), line));
}

void paintOtherTag(QPainter& painter, const QString& text, double y, const QRectF& viewport,
                   const QFont& font, const Theme& theme)
{
    constexpr double gap = 8;
    const QFontMetricsF metrics(font);
    const QSizeF size(metrics.horizontalAdvance(text) + 2 * gap, metrics.height() + 2);
    const QRectF tag(QPointF(viewport.right() - size.width() - gap, std::round(y + 0.5 - size.height() / 2)),
                     size);
    if (!tag.intersects(viewport))
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(tag.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(theme.text);
    painter.setFont(font);
    painter.drawText(tag, Qt::AlignCenter, text);
}

BoundaryLines::BoundaryLines(const QGraphicsView* view, const GraphPaint& paint, const Selection* selection,
                             const BoundaryDragController& drag)
    : m_view(view), m_paint(paint), m_selection(selection), m_drag(drag)
{
}

double BoundaryLines::yOf(std::size_t position) const
{
    return m_view->viewportTransform().map(QPointF(0, positionY(*m_paint.layout, position))).y();
}

QString BoundaryLines::otherText(BoundaryId boundary) const
{
    const std::size_t astray = m_paint.comparedBoundaries[boundary].astray;
    const QString name = QStringLiteral("B %1").arg(stagePair(boundary));
    return astray == 0 ? name : QObject::tr("%1, %2 elsewhere").arg(name, opCountText(astray));
}

std::vector<StageBand> BoundaryLines::bands() const
{
    std::vector<StageBand> bands;
    double top = m_view->mapFromScene(QPointF(0, 0)).y() - margin;
    const double end = m_view->mapFromScene(QPointF(0, m_paint.layout->size.height)).y() + margin;
    for (std::size_t i = 0; i <= m_paint.boundaryCount(); ++i) {
        const double bottom = i < m_paint.boundaryCount() ? yOf(BoundaryId(i)) : end;
        bands.push_back({StageId(i), std::exchange(top, bottom), bottom});
    }
    return bands;
}

BoundaryMark BoundaryLines::mark(BoundaryId boundary) const
{
    const bool isDragged = m_drag.isDragging() && m_drag.drag()->boundary() == boundary;
    BoundaryMark mark{.boundary = boundary};
    mark.y = yOf(boundary);
    mark.state = isDragged                             ? BoundaryMark::State::Dragged
                 : m_selection->boundary() == boundary ? BoundaryMark::State::Chosen
                 : m_hovered == boundary               ? BoundaryMark::State::Hovered
                                                       : BoundaryMark::State::Normal;
    mark.isLocked = m_drag.isLocked(boundary);
    const auto& cost = m_paint.plan.cost;
    if (cost && cost->boundaries.contains(boundary))
        mark.text = boundaryText(&cost->boundaries[boundary], 0);
    // On a page whose stages stand close what it says would cover them, until it is asked for.
    const auto& page = m_paint.layout->page;
    if (page && mark.state == BoundaryMark::State::Normal &&
        page->boundaryGap * m_view->transform().m11() < graph_metrics::handleHeight)
        mark.text.clear();
    if (isDragged)
        if (const QString slowest = m_drag.slowestText(); !slowest.isEmpty())
            mark.text += QStringLiteral("   ") + slowest;
    return mark;
}

std::vector<BoundaryMark> BoundaryLines::marks() const
{
    std::vector<BoundaryMark> marks;
    if (!m_paint.layout)
        return marks;
    for (std::size_t i = 0; i < m_paint.boundaryCount(); ++i)
        marks.push_back(mark(BoundaryId(i)));
    placeHandles(marks, m_view->viewport()->width(), m_view->font());
    return marks;
}

void BoundaryLines::paint(QPainter& painter) const
{
    const QRectF area = m_view->viewport()->rect();
    paintGutter(painter, bands(), area, m_paint.theme);
    if (m_drag.isDragging())
        paintGhost(painter, yOf(m_drag.drag()->start()), area, m_paint.theme);
    for (const PlacedBoundary& other : m_paint.comparedBoundaries)
        paintOtherLine(painter, yOf(other.position), area, m_paint.theme);
    for (const BoundaryMark& mark : marks())
        paintBoundary(painter, mark, area, m_view->font(), m_paint.theme);
    for (const BoundaryId boundary : m_paint.comparedBoundaries.ids())
        paintOtherTag(painter, otherText(boundary), yOf(m_paint.comparedBoundaries[boundary].position), area,
                      m_view->font(), m_paint.theme);
}

std::optional<BoundaryId> BoundaryLines::at(QPoint pixel) const
{
    const std::vector<BoundaryMark> marks = this->marks();
    for (const BoundaryMark& mark : marks)
        if (mark.hasHandle && handleRect(mark, m_view->font()).contains(pixel))
            return mark.boundary;
    for (const BoundaryMark& mark : marks)
        if (std::abs(mark.y - pixel.y()) <= lineReach && pixel.x() > graph_metrics::gutterWidth)
            return mark.boundary;
    return {};
}

StageId BoundaryLines::stageAt(int y) const
{
    std::size_t stage = 0;
    while (stage < m_paint.boundaryCount() && yOf(BoundaryId(stage)) <= y)
        ++stage;
    return StageId(stage);
}

} // namespace stagecraft
