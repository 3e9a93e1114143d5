#include "views/graph/box_drag_controller.h"

#include "core/layout/item_text.h"
#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"

#include <QFontMetricsF>
#include <QGraphicsView>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double cardPadding = 10;
constexpr double chipSize = 18;
constexpr double widestText = 380;

// Right below the pointer, or above it where there is no room.
QRectF cardRect(QSizeF size, QPointF pointer, const QRectF& viewport)
{
    constexpr double gap = 18;
    QPointF corner = pointer + QPointF(gap, gap);
    if (corner.y() + size.height() > viewport.bottom())
        corner.setY(pointer.y() - gap - size.height());
    corner.setX(std::clamp(corner.x(), viewport.left(),
                           std::max(viewport.left(), viewport.right() - size.width() - 4)));
    return {QPointF(std::round(corner.x()), std::round(corner.y())), size};
}

} // namespace

BoxDrag::BoxDrag(const Layout& layout, const PlanView& plan, ItemId grabbed, const std::vector<NodeId>& nodes)
    : m_grabbed(grabbed),
      m_title(shownText(itemTitle(layout, layout.items[grabbed]))),
      m_home(layout.items[grabbed].stage),
      m_nodesUp(nearestCopies(*layout.tree, nodes, StageDirection::Previous)),
      m_nodesDown(nearestCopies(*layout.tree, nodes, StageDirection::Next)),
      m_before(plan.partition),
      m_costBefore(plan.cost)
{
    const std::size_t shown = nodesShownBy(layout, grabbed).size();
    if (nodes.size() > shown)
        m_title = opCountText(nodes.size());
}

bool BoxDrag::wouldMove(StageId stage) const
{
    return std::ranges::any_of(nodes(), [&](NodeId node) { return m_before->stageOf[node] != stage; });
}

bool BoxDrag::moveTo(StageId stage)
{
    if (m_target == stage)
        return false;
    m_target = stage;
    m_isUpwards = stage < m_home;
    m_refusal.clear();
    return true;
}

DragCard BoxDrag::card(const PlanView& preview) const
{
    DragCard card;
    if (!m_target || !wouldMove(*m_target)) {
        card.title = m_title;
        card.lines << QObject::tr("Drop it in another stage to send it there");
        return card;
    }
    card.stage = m_target;
    card.title = QObject::tr("%1 to stage %2").arg(m_title).arg(m_target->index() + 1);
    card.isRefused = isRefused();
    if (isRefused()) {
        card.lines << m_refusal;
        return card;
    }
    std::size_t moved = 0;
    std::size_t chosen = 0;
    for (const NodeId node : m_before->stageOf.ids())
        moved += m_before->stageOf[node] != preview.partition->stageOf[node] ? 1 : 0;
    for (const NodeId node : nodes())
        chosen += m_before->stageOf[node] != preview.partition->stageOf[node] ? 1 : 0;
    QString what = QObject::tr("%1 would move").arg(opCountText(moved));
    if (moved > chosen)
        what += QObject::tr(", %1 of them must follow").arg(moved - chosen);
    card.lines << what;
    if (const QString slowest = slowestStageText(m_costBefore.get(), preview.cost.get()); !slowest.isEmpty())
        card.lines << slowest;
    return card;
}

void paintDragCard(QPainter& painter, const DragCard& card, QPointF pointer, const QRectF& viewport,
                   const QFont& font, const Theme& theme)
{
    const QFont bold = boldFont(font);
    const QFontMetricsF metrics(font);
    const double indent = card.stage ? chipSize + 8 : 0;
    double width = QFontMetricsF(bold).horizontalAdvance(card.title) + indent;
    const QString text = card.lines.join('\n');
    const QRectF bounds = metrics.boundingRect(QRectF(0, 0, widestText, 1000), Qt::TextWordWrap, text);
    width = std::ceil(std::max(std::min(width, widestText + indent), bounds.width()));
    const double titleHeight = std::max(chipSize, QFontMetricsF(bold).height());
    const QSizeF size(width + 2 * cardPadding, titleHeight + bounds.height() + 2.5 * cardPadding);
    const QRectF rect = cardRect(size, pointer, viewport);

    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(card.isRefused ? theme.danger : theme.accent, 1.5));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    const QRectF inside = rect.adjusted(cardPadding, cardPadding, -cardPadding, -cardPadding);
    if (card.stage)
        drawStageChip(painter, QRectF(inside.topLeft(), QSizeF(chipSize, chipSize)), theme, *card.stage);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left() + indent, inside.top(), inside.width() - indent, titleHeight),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(bold).elidedText(card.title, Qt::ElideMiddle, inside.width() - indent));
    painter.setFont(font);
    painter.setPen(card.isRefused ? withContrast(theme.danger, theme.raised, 4.5) : theme.mutedText);
    painter.drawText(inside.adjusted(0, titleHeight + cardPadding / 2, 1, 1), Qt::TextWordWrap, text);
}

BoxDragController::BoxDragController(QGraphicsView* view, GraphPaint& paint, Selection* selection,
                                     const BoundaryLines& lines)
    : m_view(view), m_paint(paint), m_selection(selection), m_lines(lines)
{
}

void BoxDragController::start(ItemId item, QPoint pressed)
{
    std::vector<NodeId> nodes = nodesShownBy(*m_paint.layout, item);
    if (std::ranges::all_of(nodes, [&](NodeId node) { return m_selection->contains(node); })) {
        nodes = m_selection->nodes();
    } else {
        m_paint.current = item;
        m_selection->setBoundary({});
        m_selection->setNodes(nodes);
    }
    m_pressed = pressed;
    m_drag.emplace(*m_paint.layout, m_paint.plan, item, nodes);
}

void BoxDragController::moveTo(QPoint pixel)
{
    m_last = pixel;
    if (m_drag->moveTo(m_lines.stageAt(pixel.y())))
        emit dragged(m_drag->nodes(), *m_drag->target());
    m_view->viewport()->setCursor(m_drag->isRefused() ? Qt::ForbiddenCursor : Qt::ClosedHandCursor);
    emit changed();
}

void BoxDragController::refuse(const QString& why)
{
    if (m_drag)
        m_drag->refuse(why);
}

void BoxDragController::drop()
{
    const BoxDrag drag = *std::exchange(m_drag, std::nullopt);
    if (drag.target() && drag.wouldMove(*drag.target()))
        emit dropped(drag.nodes(), *drag.target());
    else
        emit cancelled();
    emit changed();
}

void BoxDragController::cancel()
{
    if (!std::exchange(m_drag, std::nullopt))
        return;
    emit cancelled();
    emit changed();
}

void BoxDragController::paintTarget(QPainter& painter) const
{
    const Theme& theme = m_paint.theme;
    const DragCard card = m_drag->card(m_paint.plan);
    if (!card.stage)
        return;
    const StageBand band = m_lines.bands()[card.stage->index()];
    const QColor color =
        card.isRefused ? theme.danger : withContrast(stageColor(theme, band.stage), theme.surface, 3);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 3));
    const QRect area = m_view->viewport()->rect().adjusted(graph_metrics::gutterWidth, 0, 0, 0);
    const double top = std::max(band.top, -10.0);
    const double bottom = std::min(band.bottom, area.height() + 10.0);
    painter.drawRect(QRectF(area.left() + 1.5, top + 1.5, area.width() - 3, bottom - top - 3));
}

void BoxDragController::paintBoxes(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(m_view->viewport()->rect());
    painter.setOpacity(0.8);
    const QPoint offset = m_last - m_pressed;
    painter.setTransform(m_view->viewportTransform() * QTransform::fromTranslate(offset.x(), offset.y()));
    paintThing(painter, m_paint, m_drag->grabbed(), m_view->transform().m11());
    painter.restore();
    paintDragCard(painter, m_drag->card(m_paint.plan), m_last, m_view->viewport()->rect(), m_view->font(),
                  m_paint.theme);
}

} // namespace stagecraft
