#include "views/graph/graph_text.h"

#include "core/layout/item_text.h"
#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/graph/graph_paint.h"
#include "views/graph/item_detail.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
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
constexpr double titleInset = 28; // of an open box: its mark stands before it

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

constexpr QChar ellipsis(0x2026);

// "3 (1/2)", "96-114": what tells one of several from the others. Empty: it is none.
QString numberAtEnd(const QString& title)
{
    static const QRegularExpression number(QStringLiteral("\\d+(?:-\\d+)?(?: \\(\\d+/\\d+\\))?$"));
    return number.match(title).captured();
}

// "lay…96-114": the number, and before it as much of the name that it counts as there is room for.
QString beforeNumber(const QString& title, const QString& number, const QFontMetricsF& metrics, double room)
{
    QString name = title.chopped(number.size());
    name = name.mid(name.lastIndexOf('.', -2) + 1); // which may end in a dot itself
    const QString end = ellipsis + number;
    while (!name.isEmpty() && metrics.horizontalAdvance(name + end) > room)
        name.chop(1);
    return metrics.horizontalAdvance(name + end) <= room ? name + end : QString();
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

void drawModule(QPainter& painter, const GraphPaint& paint, const QRectF& rect, const QString& module,
                const QColor& color)
{
    constexpr double leastShare = 0.6;
    painter.setFont(smallFont(paint));
    painter.setPen(color);
    if (QFontMetricsF(painter.font()).horizontalAdvance(module) * leastShare <= rect.width())
        drawElided(painter, rect, module, Qt::AlignRight, Qt::ElideLeft);
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
    const QString number = isRange ? QString() : numberAtEnd(title);
    for (qsizetype dot = title.indexOf('.'); dot >= 0 && !isRange; dot = title.indexOf('.', dot + 1)) {
        const QString rest = title.mid(dot + 1);
        if (rest != number && metrics.horizontalAdvance(ellipsis + rest) <= room)
            return ellipsis + rest;
    }
    const bool hasEnd = isRange || title.endsWith(')') || !number.isEmpty();
    const QString elided = metrics.elidedText(title, hasEnd ? Qt::ElideMiddle : Qt::ElideRight, room);
    if (number.isEmpty() || elided.endsWith(number))
        return elided;
    const QString numbered = beforeNumber(title, number, metrics, room);
    return numbered.isEmpty() ? elided : numbered;
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
    constexpr double aboveTitle = 2; // its letters
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
    if (line.top() + aboveTitle < rect.top() + markSize / 2)
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
    if (!item.box)
        drawModule(painter, paint, line.adjusted(used + 8, 0, 0, 0), note, mutedOn(paint, card));
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
    const QString shown = shortTitle(title, metrics, room - 40 - (note.isEmpty() ? 0 : 40));
    const double width = metrics.horizontalAdvance(shown);
    QColor behind = paint.theme.surface;
    behind.setAlphaF(0.85F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(behind);
    painter.drawRoundedRect(QRectF(corner.x() + 6, corner.y() + 4, width + titleInset, 19), 5, 5);
    paintChevron(painter, QRectF(corner.x() + 8, corner.y() + 3, 18, 20), true, paint.theme.mutedText);
    painter.setPen(paint.theme.text);
    painter.drawText(QRectF(corner.x() + titleInset, corner.y() + 3, width + 4, 20),
                     Qt::AlignLeft | Qt::AlignVCenter, shown);
    if (!note.isEmpty())
        paintBadge(painter, paint, QRectF(corner.x() + titleInset + width, corner.y() + 4, 46, 18), note);
}

bool isBelowFarTitle(const GraphPaint& paint, ItemId id, double scale)
{
    const LayoutItem& item = paint.layout->items[id];
    const QFontMetricsF metrics(titleFont(paint));
    for (std::optional<ItemId> around = item.parent; around; around = paint.layout->items[*around].parent) {
        const LayoutItem& box = paint.layout->items[*around];
        if ((item.rect.y - box.rect.y) * scale >= farTitleHeight)
            return false; // and further below those around it
        const double width = box.rect.width * scale;
        const bool hasTitle = box.kind == ItemKind::OpenBox && width > leastFarTitleWidth &&
                              box.rect.height * scale > 2 * farTitleHeight;
        const double title = metrics.horizontalAdvance(shownText(itemTitle(*paint.layout, box)));
        if (hasTitle && (item.rect.x - box.rect.x) * scale < std::min(title + titleInset, width))
            return true;
    }
    return false;
}

void paintFarName(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect,
                  const QColor& card, double scale)
{
    if (rect.height() * scale < leastFarHeight || rect.width() * scale < leastFarWidth ||
        isBelowFarTitle(paint, id, scale))
        return;
    QFont font = paint.font;
    font.setPixelSize(static_cast<int>(std::lround(farPixels / scale)));
    painter.setFont(font);
    painter.setPen(textOn(paint, card));
    const LayoutItem& item = paint.layout->items[id];
    const QRectF line = rect.adjusted(8, 0, -3, 0);
    const QString title = shownText(itemTitle(*paint.layout, item));
    drawElided(painter, line, shortTitle(title, QFontMetricsF(font), line.width()), Qt::AlignLeft);
}

} // namespace stagecraft
