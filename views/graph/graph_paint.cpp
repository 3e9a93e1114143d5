#include "views/graph/graph_paint.h"

#include "core/layout/item_text.h"
#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr double cardRadius = 7;
constexpr double boxRadius = 10;
constexpr double stripe = 4; // the stage's edge
constexpr int titlePixels = 13;
constexpr int smallPixels = 11;

QFont titleFont(const GraphPaint& paint)
{
    QFont font = paint.font;
    font.setPixelSize(titlePixels);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont smallFont(const GraphPaint& paint)
{
    QFont font = paint.font;
    font.setPixelSize(smallPixels);
    return font;
}

// Draws as much of `text` as fits, and says how wide that is.
double drawElided(QPainter& painter, const QRectF& rect, const QString& text, Qt::Alignment alignment,
                  Qt::TextElideMode mode = Qt::ElideRight)
{
    const QFontMetricsF metrics(painter.font());
    const QString shown = metrics.elidedText(text, mode, rect.width());
    painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
    return metrics.horizontalAdvance(shown);
}

// The colour of a card: plain where its edge says all, or what the table says of the operators inside.
QColor cardColor(const GraphPaint& paint, const LayoutItem& item)
{
    const GraphColors& colors = paint.colors;
    if (colors.isByStage())
        return paint.theme.raised;
    if (item.node)
        return colors.fill[*item.node];
    if (!colors.isHeat())
        return paint.theme.raised;
    std::optional<NodeId> heaviest;
    const auto& order = paint.layout->tree->order;
    for (std::size_t i = item.first; i < item.end; ++i)
        if (!heaviest || colors.weight[order[i]] > colors.weight[*heaviest])
            heaviest = order[i];
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
    if (paint.current == id || paint.hovered == id)
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

// Round badges on the upper edge: constraints.
void paintHeld(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect)
{
    if (!paint.constraints.contains(id) || paint.constraints[id] == 0)
        return;
    constexpr double size = 16;
    QRectF badge(rect.right() - size - 6, rect.top() - size / 2, size, size);
    const auto paintOne = [&](ConstraintIcon icon) {
        painter.setPen(QPen(paint.theme.mutedText, 1));
        painter.setBrush(paint.theme.raised);
        painter.drawEllipse(badge);
        paintConstraintIcon(painter, badge.adjusted(3, 3, -3, -3), icon, paint.theme.text);
        badge.translate(-size - 3, 0);
    };
    if ((paint.constraints[id] & constraint_mark::pinned) != 0)
        paintOne(ConstraintIcon::Padlock);
    if ((paint.constraints[id] & constraint_mark::grouped) != 0)
        paintOne(ConstraintIcon::Link);
}

Seconds timeOf(const GraphPaint& paint, const LayoutItem& item)
{
    Seconds time;
    if (!paint.plan.profile)
        return time;
    const auto& nodes = paint.plan.profile->nodes;
    const auto& order = paint.layout->tree->order;
    for (std::size_t i = item.first; i < item.end && i < order.size(); ++i)
        if (nodes.contains(order[i]))
            time += nodes[order[i]].time();
    return time;
}

// A thin bar along the bottom: the share of the longest operator's time. Next to nothing is not shown.
void paintCostBar(QPainter& painter, const GraphPaint& paint, const QRectF& rect, Seconds time)
{
    constexpr double smallestShare = 0.03;
    if (paint.longestTime <= Seconds(0) || time / paint.longestTime < smallestShare)
        return;
    const double share = std::min(1.0, time / paint.longestTime);
    const QRectF track(rect.left() + 12, rect.bottom() - 5, rect.width() - 22, 2.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(paint.theme.grid);
    painter.drawRoundedRect(track, 1.2, 1.2);
    painter.setBrush(paint.theme.accent);
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(track.width() * share, track.height())), 1.2, 1.2);
}

QColor textOn(const GraphPaint& paint, const QColor& card)
{
    return contrastRatio(paint.theme.text, card) >= 4.5 ? paint.theme.text : textColorOn(card);
}

QColor mutedOn(const GraphPaint& paint, const QColor& card)
{
    return contrastRatio(paint.theme.mutedText, card) >= 4.5 ? paint.theme.mutedText : textColorOn(card);
}

// Plain rectangles for far away: nobody sees a rounded corner of half a pixel.
void paintFar(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect)
{
    const LayoutItem& item = paint.layout->items[id];
    const bool isMarked = (paint.selected.contains(id) && paint.selected[id] != 0) || paint.hovered == id;
    const QColor color = paint.colors.isByStage()
                             ? mixed(paint.theme.surface, stageColor(paint.theme, paint.stageOf(item)), 0.65)
                             : cardColor(paint, item);
    painter.fillRect(rect, isMarked ? paint.theme.accent : color);
}

void paintChevron(QPainter& painter, const QRectF& rect, bool isOpen, const QColor& color)
{
    const QPointF c = rect.center();
    QPolygonF shape;
    if (isOpen)
        shape << QPointF(c.x() - 4, c.y() - 2) << QPointF(c.x(), c.y() + 2) << QPointF(c.x() + 4, c.y() - 2);
    else
        shape << QPointF(c.x() - 2, c.y() - 4) << QPointF(c.x() + 2, c.y()) << QPointF(c.x() - 2, c.y() + 4);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(shape);
}

// "x32" in a small rounded frame, right-aligned in `rect`; its width.
double paintBadge(QPainter& painter, const GraphPaint& paint, const QRectF& rect, const QString& text)
{
    painter.setFont(smallFont(paint));
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 12;
    const QRectF badge(rect.right() - width, rect.center().y() - 8, width, 16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(paint.theme.raised, paint.theme.text, 0.12));
    painter.drawRoundedRect(badge, 8, 8);
    painter.setPen(paint.theme.text);
    painter.drawText(badge, Qt::AlignCenter, text);
    return width;
}

QString noteOf(const GraphPaint& paint, const LayoutItem& item)
{
    QString note = shownText(itemNote(*paint.layout, item));
    if (item.box && note.startsWith('x'))
        note.replace(0, 1, QChar(0x00d7)); // the multiplication sign
    return note;
}

// Second line: what it makes on the left, how long it takes on the right.
void paintDetail(QPainter& painter, const GraphPaint& paint, const LayoutItem& item, const QRectF& line,
                 const QColor& color)
{
    painter.setFont(smallFont(paint));
    painter.setPen(color);
    const Seconds time = timeOf(paint, item);
    const double used =
        drawElided(painter, line, time > Seconds(0) ? toText(time) : QString(), Qt::AlignRight);
    drawElided(painter, line.adjusted(0, 0, -used - 8, 0), shownText(itemDetail(*paint.layout, item)),
               Qt::AlignLeft);
}

// The title of an open box whose upper left corner is at `corner`.
void paintTitleAt(QPainter& painter, const GraphPaint& paint, const LayoutItem& item, QPointF corner,
                  double room)
{
    const QString title = shownText(itemTitle(*paint.layout, item));
    const QString note = noteOf(paint, item);
    painter.setFont(titleFont(paint));
    const QFontMetricsF metrics(painter.font());
    const QString shown = metrics.elidedText(title, Qt::ElideRight, room - 40 - (note.isEmpty() ? 0 : 40));
    const double width = metrics.horizontalAdvance(shown);
    QColor behind = paint.theme.surface;
    behind.setAlphaF(0.85F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(behind);
    painter.drawRoundedRect(QRectF(corner.x() + 6, corner.y() + 4, width + 28, 19), 5, 5);
    paintChevron(painter, QRectF(corner.x() + 8, corner.y() + 3, 18, 20), true, paint.theme.mutedText);
    painter.setPen(paint.theme.text);
    painter.drawText(QRectF(corner.x() + 28, corner.y() + 3, width + 4, 20), Qt::AlignLeft | Qt::AlignVCenter,
                     shown);
    if (!note.isEmpty())
        paintBadge(painter, paint, QRectF(corner.x() + 28 + width, corner.y() + 4, 46, 18), note);
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
    const double top = item.kind == ItemKind::OpenBox ? item.rect.y + 3 : item.rect.y + 7;
    return {item.rect.x + 8, top, 18, 20};
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
    if (scale < zoom_level::rectangles)
        return paintFar(painter, paint, id, rect);
    const QColor card = cardColor(paint, item);
    paintCard(painter, paint, id, rect, card);
    if (scale < zoom_level::names)
        return;
    paintHeld(painter, paint, id, rect);
    const QString title = shownText(itemTitle(*paint.layout, item));
    const bool isMinor = rect.height() < 30;
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
    painter.setFont(smallFont(paint));
    painter.setPen(mutedOn(paint, card));
    drawElided(painter, line.adjusted(used + 10, 0, 0, 0), noteOf(paint, item), Qt::AlignRight,
               Qt::ElideLeft);
    if (all)
        paintDetail(painter, paint, item, QRectF(line.left(), line.bottom() - 1, line.width(), 15),
                    mutedOn(paint, card));
    if (paint.colors.isByStage())
        paintCostBar(painter, paint, rect, timeOf(paint, item));
}

void paintClosedBox(QPainter& painter, const GraphPaint& paint, ItemId id, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const QRectF rect = toRect(item.rect);
    if (scale < zoom_level::rectangles)
        return paintFar(painter, paint, id, rect);
    const QColor card = cardColor(paint, item);
    const bool isFold = paint.layout->tree->boxes[*item.box].copies > 1;
    for (int behind = isFold ? 2 : 0; behind > 0; --behind) { // a small stack of cards
        const double shift = 3.5 * behind;
        painter.setPen(QPen(paint.theme.border, 1));
        painter.setBrush(mixed(card, paint.theme.border, 0.25));
        painter.drawRoundedRect(rect.translated(shift, shift), cardRadius, cardRadius);
    }
    paintCard(painter, paint, id, rect, card);
    if (scale < 0.3)
        return;
    paintHeld(painter, paint, id, rect);
    paintChevron(painter, chevronRect(item), false, mutedOn(paint, card));
    QRectF line(rect.left() + 28, rect.top() + 8, rect.width() - 38, 18);
    if (const QString note = noteOf(paint, item); !note.isEmpty())
        line.setRight(line.right() - paintBadge(painter, paint, line, note) - 6);
    painter.setFont(titleFont(paint));
    painter.setPen(textOn(paint, card));
    // Paths differ at their end, and begin with what they belong to.
    drawElided(painter, line, shownText(itemTitle(*paint.layout, item)), Qt::AlignLeft, Qt::ElideMiddle);
    if (scale >= zoom_level::names)
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
    constexpr double lineHeight = 24;
    Table<ItemId, char> isShown(paint.layout->items.size(), 0);
    for (const ItemId id : paint.layout->items.ids()) {
        const LayoutItem& item = paint.layout->items[id];
        if (item.kind != ItemKind::OpenBox)
            continue;
        const QRectF rect = toViewport.mapRect(toRect(item.rect));
        bool hasRoom = rect.width() > 84 && rect.height() > 2 * lineHeight;
        for (std::optional<ItemId> around = item.parent; around; around = paint.layout->items[*around].parent)
            if (isShown[*around] != 0 &&
                rect.top() - toViewport.mapRect(toRect(paint.layout->items[*around].rect)).top() < lineHeight)
                hasRoom = false;
        if (!hasRoom)
            continue;
        isShown[id] = 1;
        paintTitleAt(painter, paint, item, rect.topLeft(), rect.width());
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
    const Point tip = edge.path.back();
    const QPolygonF head{QPointF(tip.x, tip.y), QPointF(tip.x - 3.4, tip.y - 6.5),
                         QPointF(tip.x + 3.4, tip.y - 6.5)};
    painter.setBrush(painter.pen().color());
    const QPen pen = painter.pen();
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(head);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
}

} // namespace stagecraft
