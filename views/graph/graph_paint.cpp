#include "views/graph/graph_paint.h"

#include "core/layout/item_text.h"
#include "core/layout/operator_kinds.h"
#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_text.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr double cardRadius = 7;
constexpr double boxRadius = 10;
constexpr double stripe = 4; // the stage's edge

// The colour of a card: plain where its edge says all; that of the hottest operator inside; of the person's
// own figures that of all inside together, as the tip has it.
QColor cardColor(const GraphPaint& paint, const LayoutItem& item)
{
    const GraphColors& colors = paint.colors;
    if (colors.isByStage())
        return paint.theme.raised;
    if (item.node)
        return colors.fill[*item.node];
    if (colors.by == ColorBy::Own) {
        const auto together =
            overlayColour(*paint.overlay, *paint.layout->graph, nodesShownBy(*paint.layout, item));
        return together ? QColor(together->red, together->green, together->blue) : paint.theme.raised;
    }
    if (colors.weight.empty())
        return paint.theme.raised;
    std::optional<NodeId> heaviest;
    for (const NodeId node : nodesShownBy(*paint.layout, item))
        if (!heaviest || colors.weight[node] > colors.weight[*heaviest])
            heaviest = node;
    return heaviest ? colors.fill[*heaviest] : paint.theme.raised;
}

// A card's left edge in the colours of the stages that its operators are in now.
void paintStripe(QPainter& painter, const GraphPaint& paint, const LayoutItem& item, const QRectF& rect)
{
    painter.save();
    QPainterPath card;
    card.addRoundedRect(rect, cardRadius, cardRadius);
    painter.setClipPath(card, Qt::IntersectClip);
    const std::vector<StageId> stages = paint.stagesOf(item);
    const double step = rect.height() / static_cast<double>(stages.size());
    for (std::size_t begin = 0, end = 0; begin < stages.size(); begin = end) {
        while (end < stages.size() && stages[end] == stages[begin])
            ++end;
        const bool isWhole = end - begin == stages.size();
        fillStage(painter,
                  QRectF(rect.left(), rect.top() + step * static_cast<double>(begin),
                         isWhole ? stripe : 2 * stripe, step * static_cast<double>(end - begin)),
                  paint.theme, stages[begin]);
    }
    painter.restore();
}

QPen outlinePen(const GraphPaint& paint, ItemId id)
{
    if (paint.selected.contains(id) && paint.selected[id] != 0)
        return {paint.theme.accent, 2};
    if (paint.current == id || paint.isHovered(id))
        return {paint.theme.accent, 1.4};
    if (paint.isMoved(id))
        return {withContrast(stageColor(paint.theme, paint.stageOf(paint.layout->items[id])),
                             paint.theme.surface, 3),
                1.6};
    return {paint.theme.highContrast ? paint.theme.text : paint.theme.border, 1};
}

void paintCard(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect, const QColor& color)
{
    const LayoutItem& item = paint.layout->items[id];
    painter.setPen(Qt::NoPen);
    painter.setBrush(paint.isMoved(id) && paint.colors.isByStage()
                         ? mixed(color, stageColor(paint.theme, paint.stageOf(item)), 0.2)
                         : color);
    painter.drawRoundedRect(rect, cardRadius, cardRadius);
    paintStripe(painter, paint, item, rect);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(outlinePen(paint, id));
    painter.drawRoundedRect(rect, cardRadius, cardRadius);
}

// Round badges on the upper edge: constraints, and what runs again.
void paintMarks(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect)
{
    if (!paint.marks.contains(id) || paint.marks[id] == 0)
        return;
    QRectF badge(rect.right() - markSize - markInset, rect.top() - markSize / 2, markSize, markSize);
    const auto paintOne = [&](ConstraintIcon icon) {
        painter.setPen(QPen(paint.theme.mutedText, 1));
        painter.setBrush(paint.theme.raised);
        painter.drawEllipse(badge);
        paintConstraintIcon(painter, badge.adjusted(3, 3, -3, -3), icon, paint.theme.text);
        badge.translate(-markSize - markGap, 0);
    };
    if ((paint.marks[id] & node_mark::pinned) != 0)
        paintOne(ConstraintIcon::Padlock);
    if ((paint.marks[id] & node_mark::grouped) != 0)
        paintOne(ConstraintIcon::Link);
    if ((paint.marks[id] & node_mark::again) != 0)
        paintOne(ConstraintIcon::Again);
}

// How strongly a card has its stage's colour, the smaller it is the more: nobody sees its edge then.
double strengthAt(double scale)
{
    return scale < zoom_level::rectangles ? 0.65 : scale < zoom_level::names ? 0.4 : 0;
}

QColor farColor(const GraphPaint& paint, const LayoutItem& item, double scale)
{
    const bool isBookkeeping = item.node && paint.colors.isByStage() && item.rect.height < 30;
    return paint.colors.isByStage() ? mixed(paint.theme.surface, stageColor(paint.theme, paint.stageOf(item)),
                                            strengthAt(scale) * (isBookkeeping ? 0.6 : 1))
                                    : cardColor(paint, item);
}

// Plain rectangles for far away, with a name as long as there is room for one: nobody sees a rounded corner
// of half a pixel.
void paintFar(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const bool isMarked = (paint.selected.contains(id) && paint.selected[id] != 0) || paint.isHovered(id);
    const QColor color = isMarked ? paint.theme.accent : farColor(paint, item, scale);
    painter.fillRect(rect, color);
    if (scale >= zoom_level::rectangles) {
        QPen pen = outlinePen(paint, id);
        if (!isMarked && paint.colors.isByStage())
            pen.setColor(mixed(color, stageColor(paint.theme, paint.stageOf(item)), 0.6));
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect);
    }
    paintFarName(painter, paint, id, rect, color, scale);
}

// "Stage 2  574 ms", at what is too small for names of its own.
void paintStageName(QPainter& painter, const GraphPaint& paint, const LayoutItem& stage, QPointF corner)
{
    const Seconds time = paint.costOf(stage).time();
    QString name = shownText(itemTitle(*paint.layout, stage));
    if (time > Seconds(0))
        name += QStringLiteral("   ") + toText(time);
    painter.setFont(titleFont(paint));
    const QRectF frame(corner, QSizeF(QFontMetricsF(painter.font()).horizontalAdvance(name) + 26, 20));
    painter.setPen(Qt::NoPen);
    painter.setBrush(paint.theme.raised);
    painter.drawRoundedRect(frame, 5, 5);
    fillStage(painter, QRectF(frame.left() + 5, frame.top() + 5, 8, 10), paint.theme, stage.stage);
    painter.setPen(paint.theme.text);
    painter.drawText(frame.adjusted(20, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
}

} // namespace

QRectF toRect(const Rect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}

QPainterPath edgeCurve(const LayoutEdge& edge)
{
    const auto at = [&](std::size_t i) { return QPointF(edge.path[i].x, edge.path[i].y); };
    QPainterPath path(at(0));
    for (std::size_t i = 1; i + 2 < edge.path.size(); i += 3)
        path.cubicTo(at(i), at(i + 1), at(i + 2));
    return path;
}

QPainterPath edgeLine(const LayoutEdge& edge)
{
    QPainterPath path(QPointF(edge.path.front().x, edge.path.front().y));
    for (std::size_t i = 3; i < edge.path.size(); i += 3)
        path.lineTo(edge.path[i].x, edge.path[i].y);
    return path;
}

QRectF chevronRect(const LayoutItem& item)
{
    if (item.kind == ItemKind::OpenBox)
        return {item.rect.x + 8, item.rect.y + 3, 18, 20};
    // Beside the first of as many lines as there are.
    const double text = item.rect.height < 34 ? 18 : item.rect.height < 60 ? 34 : 50;
    return {item.rect.x + 8, item.rect.y + (item.rect.height - text) / 2 - 1, 18, 20};
}

double titleLeft(const GraphPaint& paint, const LayoutItem& item)
{
    constexpr double shortest = 160; // that a title may get, where the box has so much
    return std::clamp(paint.visible.left(), item.rect.x,
                      item.rect.x + std::max(0.0, item.rect.width - shortest));
}

void paintThing(QPainter& painter, const GraphPaint& paint, ItemId id, double scale)
{
    switch (paint.layout->items[id].kind) {
    case ItemKind::Op:
        return paintOp(painter, paint, id, scale);
    case ItemKind::ClosedBox:
        return paintClosedBox(painter, paint, id, scale);
    case ItemKind::OpenBox:
        return paintOpenBox(painter, paint, id, scale);
    case ItemKind::Stage:
        return;
    case ItemKind::Input:
    case ItemKind::Output:
    case ItemKind::PortalOut:
    case ItemKind::PortalIn:
        return paintPill(painter, paint, id, scale);
    }
}

void paintOp(QPainter& painter, const GraphPaint& paint, ItemId id, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const QRectF rect = toRect(item.rect);
    if (scale < zoom_level::names)
        return paintFar(painter, paint, id, rect, scale);
    const QColor card = cardColor(paint, item);
    paintCard(painter, paint, id, rect, card);
    paintMarks(painter, paint, id, rect);
    const QString title = shownText(itemTitle(*paint.layout, item));
    const bool isMinor =
        isOnPage(paint, item) ? isMinorOperator((*paint.layout->graph)[*item.node]) : rect.height() < 30;
    if (isOnPage(paint, item) && !isMinor)
        return paintPageCard(painter, paint, id, rect, card);
    QRectF line = isMinor ? rect.adjusted(12, 0, -8, 0)
                          : QRectF(rect.left() + 12, rect.top() + 5, rect.width() - 22, 18);
    if (isMinor) {
        painter.setFont(smallFont(paint));
        painter.setPen(mutedOn(paint, card));
        drawElided(painter, line, title, Qt::AlignLeft);
        return;
    }
    const bool all = scale >= zoom_level::everything;
    if (!all)
        line.translate(0, (rect.height() - line.height()) / 2 - 6);
    painter.setFont(titleFont(paint));
    painter.setPen(textOn(paint, card));
    const double used = drawElided(painter, line, title, Qt::AlignLeft);
    drawModule(painter, paint, line.adjusted(used + 10, 0, 0, 0), noteOf(paint, item), mutedOn(paint, card));
    if (all)
        paintDetail(painter, paint, item, QRectF(line.left(), line.bottom() - 1, line.width(), 15),
                    mutedOn(paint, card));
    if (paint.colors.isByStage())
        paintCostBar(painter, paint, rect, paint.costOf(item).time(), paint.longestTime);
}

void paintClosedBox(QPainter& painter, const GraphPaint& paint, ItemId id, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const QRectF rect = toRect(item.rect);
    if (scale < zoom_level::names)
        return paintFar(painter, paint, id, rect, scale);
    const QColor card = cardColor(paint, item);
    const bool isFold = paint.layout->tree->boxes[*item.box].copies > 1;
    for (int behind = isFold ? 2 : 0; behind > 0; --behind) { // a small stack of cards
        const double shift = 3.5 * behind;
        painter.setPen(QPen(paint.theme.border, 1));
        painter.setBrush(mixed(card, paint.theme.border, 0.25));
        painter.drawRoundedRect(rect.translated(shift, shift), cardRadius, cardRadius);
    }
    paintCard(painter, paint, id, rect, card);
    paintMarks(painter, paint, id, rect);
    if (isOnPage(paint, item))
        return paintPageCard(painter, paint, id, rect, card);
    paintChevron(painter, chevronRect(item), false, mutedOn(paint, card));
    QRectF line(rect.left() + 28, rect.top() + 8, rect.width() - 38, 18);
    if (const QString note = noteOf(paint, item); !note.isEmpty())
        line.setRight(line.right() - paintBadge(painter, paint, line, note) - 6);
    painter.setFont(titleFont(paint));
    painter.setPen(textOn(paint, card));
    drawElided(
        painter, line,
        shortTitle(shownText(itemTitle(*paint.layout, item)), QFontMetricsF(painter.font()), line.width()),
        Qt::AlignLeft);
    paintDetail(painter, paint, item, QRectF(rect.left() + 14, line.bottom() + 1, rect.width() - 24, 16),
                mutedOn(paint, card));
}

void paintOpenBox(QPainter& painter, const GraphPaint& paint, ItemId id, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const QRectF rect = toRect(item.rect);
    const Theme& theme = paint.theme;
    QColor fill = theme.surface;
    fill.setAlphaF(theme.highContrast ? 0.0F : 0.55F);
    painter.setBrush(fill);
    QPen pen = outlinePen(paint, id);
    pen.setCosmetic(true);
    painter.setPen(pen);
    if (scale < zoom_level::rectangles)
        painter.drawRect(rect);
    else
        painter.drawRoundedRect(rect, boxRadius, boxRadius);
}

void paintBoxTitle(QPainter& painter, const GraphPaint& paint, ItemId id, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const double left = titleLeft(paint, item);
    if (item.kind != ItemKind::Stage && scale >= zoom_level::names)
        paintTitleAt(painter, paint, item, QPointF(left, item.rect.y), item.rect.x + item.rect.width - left);
}

void paintFarTitles(QPainter& painter, const GraphPaint& paint, const QTransform& toViewport)
{
    const Layout& layout = *paint.layout;
    const QRectF view = toViewport.mapRect(paint.visible);
    Table<ItemId, char> isShown(layout.items.size(), 0);
    std::vector<char> hasName(layout.tree->partition.stageCount, 0);
    for (const ItemId id : layout.items.ids()) {
        const LayoutItem& item = layout.items[id];
        if (item.kind != ItemKind::OpenBox)
            continue;
        const QRectF rect = toViewport.mapRect(toRect(item.rect));
        bool hasRoom = rect.width() > leastFarTitleWidth && rect.height() > 2 * farTitleHeight;
        for (std::optional<ItemId> around = item.parent; around; around = layout.items[*around].parent)
            if (isShown[*around] != 0 &&
                rect.top() - toViewport.mapRect(toRect(layout.items[*around].rect)).top() < farTitleHeight)
                hasRoom = false;
        if (!hasRoom)
            continue;
        isShown[id] = 1;
        if (view.contains(QRectF(rect.topLeft(), QSizeF(leastFarTitleWidth, farTitleHeight))))
            hasName[item.stage.index()] = 1;
        paintTitleAt(painter, paint, item, rect.topLeft(), rect.width());
    }
    double free = -farTitleHeight; // below what is written
    for (const LayoutItem& item : layout.items) {
        if (item.kind != ItemKind::Stage || hasName[item.stage.index()] != 0)
            continue;
        const QRectF rect = toViewport.mapRect(toRect(item.rect));
        const double top = std::max(rect.top(), view.top());
        if (top < free || !rect.intersects(view))
            continue;
        free = top + farTitleHeight;
        const bool hasRoomBeside = rect.right() + 180 < view.right(); // its name's width
        const double left = hasRoomBeside ? rect.right() : std::max(rect.left(), view.left());
        paintStageName(painter, paint, item, QPointF(left + 10, top));
    }
}

void paintPill(QPainter& painter, const GraphPaint& paint, ItemId id, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const QRectF rect = toRect(item.rect);
    const Theme& theme = paint.theme;
    const bool isPortal = item.kind == ItemKind::PortalIn || item.kind == ItemKind::PortalOut;
    if (scale < zoom_level::rectangles) {
        if (!isPortal)
            painter.fillRect(rect, theme.border);
        return;
    }
    QPen pen = outlinePen(paint, id);
    if (isPortal)
        pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(isPortal ? theme.surface : theme.raised);
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    if (scale < zoom_level::names)
        return;
    painter.setFont(smallFont(paint));
    painter.setPen(isPortal ? theme.mutedText : theme.text);
    drawElided(painter, rect.adjusted(9, 0, -9, 0), shownText(itemTitle(*paint.layout, item)),
               Qt::AlignHCenter, Qt::ElideMiddle);
}

void paintArrowHead(QPainter& painter, const LayoutEdge& edge)
{
    constexpr double length = 6.5;
    constexpr double halfWidth = 3.4;
    const QPointF tip(edge.path.back().x, edge.path.back().y);
    const Point before = edge.path[edge.path.size() - 2];
    const QLineF way(tip, QPointF(before.x, before.y));
    const QPointF back = way.length() > 0 ? QPointF(way.dx(), way.dy()) / way.length() : QPointF(0, -1);
    const QPointF aside(-back.y() * halfWidth, back.x() * halfWidth);
    const QPolygonF head{tip, tip + back * length + aside, tip + back * length - aside};
    painter.setBrush(painter.pen().color());
    const QPen pen = painter.pen();
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(head);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
}

} // namespace stagecraft
