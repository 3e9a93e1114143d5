// What GraphView paints behind and before its scene.
#include "views/base/colors.h"
#include "views/base/focus_frame.h"
#include "views/graph/graph_view.h"

#include <QPainter>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr int margin = 28; // pixels of a stage's band beyond the drawing

} // namespace

std::vector<StageBand> GraphView::bands() const
{
    std::vector<StageBand> bands;
    const Layout& layout = *m_paint.layout;
    double top = mapFromScene(QPointF(0, 0)).y() - margin;
    for (std::size_t i = 0; i <= boundaryCount(); ++i) {
        double bottom = mapFromScene(QPointF(0, layout.size.height)).y() + margin;
        if (i < boundaryCount())
            bottom = boundaryMark(BoundaryId(i)).y;
        bands.push_back({StageId(i), top, bottom});
        top = bottom;
    }
    return bands;
}

BoundaryMark GraphView::boundaryMark(BoundaryId boundary) const
{
    const bool isDragged = m_drag && m_drag->boundary() == boundary;
    const std::size_t position = isDragged ? m_drag->position() : m_paint.boundaryPositions[boundary.index()];
    BoundaryMark mark{.boundary = boundary};
    mark.y = viewportTransform().map(QPointF(0, positionY(*m_paint.layout, position))).y();
    mark.state = isDragged                             ? BoundaryMark::State::Dragged
                 : m_selection->boundary() == boundary ? BoundaryMark::State::Chosen
                 : m_hoveredBoundary == boundary       ? BoundaryMark::State::Hovered
                                                       : BoundaryMark::State::Normal;
    const auto& held = m_paint.plan.held;
    mark.isLocked = held && held->isLocked.contains(boundary) && held->isLocked[boundary] != 0;
    const auto& cost = m_paint.plan.cost;
    const bool isKnown = cost && cost->boundaries.contains(boundary);
    mark.text = isKnown ? boundaryText(&cost->boundaries[boundary], 0) : QString();
    if (isDragged && m_drag->position() != m_drag->start())
        if (const QString slowest = slowestStageText(m_costBeforeDrag.get(), cost.get()); !slowest.isEmpty())
            mark.text += QStringLiteral("   ") + slowest;
    return mark;
}

// With room for the handles; what is chosen last.
std::vector<BoundaryMark> GraphView::boundaryMarks() const
{
    std::vector<BoundaryMark> marks;
    if (!m_paint.layout)
        return marks;
    for (std::size_t i = 0; i < boundaryCount(); ++i)
        marks.push_back(boundaryMark(BoundaryId(i)));
    placeHandles(marks, viewport()->width(), font());
    return marks;
}

void GraphView::drawBackground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->resetTransform();
    painter->fillRect(viewport()->rect(), m_paint.theme.surface);
    m_paint.visible =
        mapToScene(viewport()->rect().adjusted(graph_metrics::gutterWidth, 0, 0, 0)).boundingRect();
    if (m_paint.layout)
        paintBands(*painter, bands(), viewport()->rect(), m_paint.theme);
    painter->restore();
}

void GraphView::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF area = viewport()->rect();
    painter->save();
    painter->resetTransform();
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_paint.layout) {
        if (zoom() < detail_scale::names)
            paintFarTitles(*painter, m_paint, viewportTransform());
        paintGutter(*painter, bands(), area, m_paint.theme);
        if (m_drag)
            paintGhost(*painter,
                       viewportTransform().map(QPointF(0, positionY(*m_paint.layout, m_drag->start()))).y(),
                       area, m_paint.theme);
        if (m_boxDrag)
            paintDropTarget(*painter);
        for (const BoundaryMark& mark : boundaryMarks())
            paintBoundary(*painter, mark, area, font(), m_paint.theme);
    } else {
        painter->setFont(font());
        painter->setPen(m_paint.theme.mutedText);
        painter->drawText(area, Qt::AlignCenter,
                          m_paint.plan.graph ? tr("Laying out the graph ...") : QString());
    }
    if (m_boxDrag)
        paintBoxDrag(*painter);
    if (m_legend->isVisible()) {
        painter->setPen(QPen(m_paint.theme.border, 1));
        painter->setBrush(m_paint.theme.raised);
        painter->drawRoundedRect(QRectF(m_legend->geometry()).adjusted(-9.5, -5.5, 9.5, 5.5), 8, 8);
    }
    if (hasFocus())
        drawFocusFrame(*painter, area, m_paint.theme);
    painter->restore();
}

// The stage that the boxes are over, framed.
void GraphView::paintDropTarget(QPainter& painter) const
{
    const Theme& theme = m_paint.theme;
    const DragCard card = m_boxDrag->card(m_paint.plan);
    if (!card.stage)
        return;
    const StageBand band = bands()[card.stage->index()];
    const QColor color =
        card.isRefused ? theme.danger : withContrast(stageColor(theme, band.stage), theme.surface, 3);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 3));
    const double top = std::max(band.top, -10.0);
    const double bottom = std::min(band.bottom, viewport()->height() + 10.0);
    painter.drawRect(QRectF(graph_metrics::gutterWidth + 1.5, top + 1.5,
                            viewport()->width() - graph_metrics::gutterWidth - 3, bottom - top - 3));
}

// The thing that the mouse holds, where the mouse is, and the card.
void GraphView::paintBoxDrag(QPainter& painter) const
{
    const DragCard card = m_boxDrag->card(m_paint.plan);
    painter.save();
    painter.setClipRect(viewport()->rect());
    painter.setOpacity(0.8);
    const QPoint offset = m_last - m_pressed;
    painter.setTransform(viewportTransform() * QTransform::fromTranslate(offset.x(), offset.y()));
    paintThing(painter, m_paint, m_boxDrag->grabbed(), zoom());
    painter.restore();
    paintDragCard(painter, card, m_last, viewport()->rect(), font(), m_paint.theme);
}

} // namespace stagecraft
