#include "views/graph/boundary_lines.h"

#include <QGraphicsView>

#include <cmath>

namespace stagecraft {

namespace {

constexpr int margin = 28;   // pixels of a stage's band beyond the drawing
constexpr int lineReach = 5; // pixels from a line that still grab it

} // namespace

BoundaryLines::BoundaryLines(const QGraphicsView* view, const GraphPaint& paint, const Selection* selection,
                             const BoundaryDragController& drag)
    : m_view(view), m_paint(paint), m_selection(selection), m_drag(drag)
{
}

double BoundaryLines::yOf(std::size_t position) const
{
    return m_view->viewportTransform().map(QPointF(0, positionY(*m_paint.layout, position))).y();
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
    for (const BoundaryMark& mark : marks())
        paintBoundary(painter, mark, area, m_view->font(), m_paint.theme);
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
