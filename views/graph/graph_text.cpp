#include "views/graph/graph_text.h"

#include "core/layout/item_text.h"
#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/graph/graph_paint.h"
#include "views/graph/item_detail.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <bit>
#include <cmath>

namespace stagecraft {

namespace {

constexpr int titlePixels = 13;
constexpr int smallPixels = 11;
constexpr int farPixels = 10;         // of a name seen from far away, on the screen
constexpr double leastFarHeight = 12; // of a card that has room for one
constexpr double leastFarWidth = 40;

// "weights 436 MiB, kept 1.1 GiB": what it holds over the step; where there is no room for both, their sum.
QString heldText(const NodeCost& cost, const QFont& font, double room)
{
    QStringList parts;
    if (cost.parameterBytes > Bytes(0))
        parts << QObject::tr("weights %1").arg(toText(cost.parameterBytes));
    if (cost.savedBytes > Bytes(0))
        parts << QObject::tr("kept %1").arg(toText(cost.savedBytes));
    const auto fits = [&](const QString& text) {
        return QFontMetricsF(font).horizontalAdvance(text) <= room;
    };
    const QString both = parts.join(QStringLiteral(", "));
    if (parts.isEmpty() || fits(both))
        return both;
    const QString sum = toText(cost.parameterBytes + cost.savedBytes);
    const QString held = QObject::tr("holds %1").arg(sum);
    return fits(held) ? held : sum;
}

// Something on the left, how long it takes on the right.
void paintFigures(QPainter& painter, const GraphPaint& paint, const QRectF& line, const QColor& color,
                  const QString& left, Seconds time)
{
    painter.setFont(smallFont(paint));
    painter.setPen(color);
    const double used =
        drawElided(painter, line, time > Seconds(0) ? toText(time) : QString(), Qt::AlignRight);
    drawElided(painter, line.adjusted(0, 0, -used - 8, 0), left, Qt::AlignLeft);
}

QFont smallTitleFont(const GraphPaint& paint)
{
    QFont font = titleFont(paint);
    font.setPixelSize(smallPixels);
    return font;
}

// A little smaller where that shows all of it.
double drawCardTitle(QPainter& painter, const GraphPaint& paint, const QRectF& rect, const QString& title)
{
    QFont font = titleFont(paint);
    if (QFontMetricsF(font).horizontalAdvance(title) > rect.width())
        font = smallTitleFont(paint);
    painter.setFont(font);
    return drawElided(painter, rect, shortTitle(title, QFontMetricsF(font), rect.width()), Qt::AlignLeft);
}

} // namespace

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

QColor textOn(const GraphPaint& paint, const QColor& card)
{
    return contrastRatio(paint.theme.text, card) >= 4.5 ? paint.theme.text : textColorOn(card);
}

QColor mutedOn(const GraphPaint& paint, const QColor& card)
{
    return contrastRatio(paint.theme.mutedText, card) >= 4.5 ? paint.theme.mutedText : textColorOn(card);
}

double drawElided(QPainter& painter, const QRectF& rect, const QString& text, Qt::Alignment alignment,
                  Qt::TextElideMode mode)
{
    const QFontMetricsF metrics(painter.font());
    const QString shown = metrics.elidedText(text, mode, rect.width());
    painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
    return metrics.horizontalAdvance(shown);
}

QString noteOf(const GraphPaint& paint, const LayoutItem& item)
{
    QString note = shownText(itemNote(*paint.layout, item));
    if (item.box && note.startsWith('x'))
        note.replace(0, 1, QChar(0x00d7)); // the multiplication sign
    return note;
}

bool isOnPage(const GraphPaint& paint, const LayoutItem& item)
{
    return paint.layout->page && item.depth == 1;
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

void paintCostBar(QPainter& painter, const GraphPaint& paint, const QRectF& rect, Seconds time,
                  Seconds longest)
{
    constexpr double smallestShare = 0.03;
    if (longest <= Seconds(0) || time / longest < smallestShare)
        return;
    const double share = std::min(1.0, time / longest);
    const QRectF track(rect.left() + 12, rect.bottom() - 5, rect.width() - 22, 2.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(paint.theme.grid);
    painter.drawRoundedRect(track, 1.2, 1.2);
    painter.setBrush(paint.theme.accent);
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(track.width() * share, track.height())), 1.2, 1.2);
}

void paintDetail(QPainter& painter, const GraphPaint& paint, const LayoutItem& item, const QRectF& line,
                 const QColor& color)
{
    paintFigures(painter, paint, line, color, detailText(*paint.layout, item), paint.costOf(item).time());
}

CardNotes notesBeside(double room, double name, const CardNotes& wanted)
{
    constexpr double leastShare = 0.7;
    const double least = name <= room ? name : leastShare * name;
    for (const CardNotes& notes :
         {wanted, CardNotes{.time = wanted.time}, CardNotes{.count = wanted.count}, CardNotes{}})
        if (least <= room - notes.time - notes.count)
            return notes;
    return {};
}

QString shortTitle(const QString& title, const QFontMetricsF& metrics, double room)
{
    if (metrics.horizontalAdvance(title) <= room)
        return title;
    const bool isRange = title.contains(QLatin1String(" ... "));
    for (qsizetype dot = title.indexOf('.'); dot >= 0 && !isRange; dot = title.indexOf('.', dot + 1)) {
        const QString rest = QChar(0x2026) + title.mid(dot + 1); // an ellipsis
        if (metrics.horizontalAdvance(rest) <= room)
            return rest;
    }
    const bool endsInNumber = title.endsWith(')') || (!title.isEmpty() && title.back().isDigit());
    return metrics.elidedText(title, isRange || endsInNumber ? Qt::ElideMiddle : Qt::ElideRight, room);
}

double roomOfMarks(const GraphPaint& paint, ItemId id)
{
    const int marks =
        paint.marks.contains(id) ? std::popcount(static_cast<unsigned char>(paint.marks[id])) : 0;
    return marks == 0 ? 0 : markInset + marks * (markSize + markGap);
}

void paintPageCard(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect,
                   const QColor& card)
{
    constexpr double titleLine = 18;
    constexpr double titleInset = 2; // above its letters
    constexpr double smallLine = 16;
    const LayoutItem& item = paint.layout->items[id];
    const NodeCost cost = paint.costOf(item);
    const int lines = rect.height() < 34 ? 1 : rect.height() < 60 ? 2 : 3;
    const double text = titleLine + (lines - 1) * smallLine;
    QRectF line(rect.left() + 12, rect.top() + (rect.height() - text) / 2, rect.width() - 22, titleLine);
    if (item.box) {
        paintChevron(painter, chevronRect(item), false, mutedOn(paint, card));
        line.setLeft(rect.left() + 28);
    }
    if (line.top() + titleInset < rect.top() + markSize / 2)
        line.setRight(std::min(line.right(), rect.right() - roomOfMarks(paint, id)));
    const QString title = shownText(itemTitle(*paint.layout, item));
    const QString note = noteOf(paint, item);
    const QString time = lines == 1 && cost.time() > Seconds(0) ? toText(cost.time()) : QString();
    const QFontMetricsF small(smallFont(paint));
    const CardNotes notes =
        notesBeside(line.width(), QFontMetricsF(smallTitleFont(paint)).horizontalAdvance(title),
                    {.time = time.isEmpty() ? 0 : small.horizontalAdvance(time) + 8,
                     .count = item.box && !note.isEmpty() ? small.horizontalAdvance(note) + 18 : 0});
    if (notes.time > 0) {
        painter.setFont(smallFont(paint));
        painter.setPen(mutedOn(paint, card));
        line.setRight(line.right() - drawElided(painter, line, time, Qt::AlignRight) - 8);
    }
    if (notes.count > 0)
        line.setRight(line.right() - paintBadge(painter, paint, line, note) - 6);
    painter.setPen(textOn(paint, card));
    const double used = drawCardTitle(painter, paint, line, title);
    if (!item.box && !note.isEmpty()) {
        painter.setFont(smallFont(paint));
        painter.setPen(mutedOn(paint, card));
        drawElided(painter, line.adjusted(used + 8, 0, 0, 0), note, Qt::AlignRight, Qt::ElideLeft);
    }
    line = QRectF(rect.left() + 12, line.bottom(), rect.width() - 22, smallLine);
    if (lines > 1) {
        const double timeWidth =
            lines == 2 ? QFontMetricsF(smallFont(paint)).horizontalAdvance(toText(cost.time())) + 8 : 0;
        const QString held = heldText(cost, smallFont(paint), line.width() - timeWidth);
        const QString detail = detailText(*paint.layout, item);
        paintFigures(painter, paint, line, mutedOn(paint, card),
                     lines == 2 && held.isEmpty() ? detail
                     : lines == 2                 ? held
                                                  : detail,
                     cost.time());
        if (lines > 2)
            paintFigures(painter, paint, line.translated(0, smallLine), mutedOn(paint, card), held, {});
    }
    constexpr double barRoom = 7;
    if (paint.colors.isByStage() && lines > 1 && rect.height() >= text + barRoom)
        paintCostBar(painter, paint, rect, cost.time(), paint.longestOnPage());
}

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

void paintFarName(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect,
                  const QColor& card, double scale)
{
    if (rect.height() * scale < leastFarHeight || rect.width() * scale < leastFarWidth)
        return;
    QFont font = paint.font;
    font.setPixelSize(static_cast<int>(std::lround(farPixels / scale)));
    painter.setFont(font);
    painter.setPen(textOn(paint, card));
    const LayoutItem& item = paint.layout->items[id];
    drawElided(painter, rect.adjusted(8, 0, -3, 0), shownText(itemTitle(*paint.layout, item)), Qt::AlignLeft,
               item.box ? Qt::ElideMiddle : Qt::ElideRight);
}

} // namespace stagecraft
