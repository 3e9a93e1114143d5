// What is written on the things of a graph, and how: at any scale something can be read.
#pragma once

#include "views/graph/graph_paint_data.h"

#include <QFont>
#include <QString>

class QFontMetricsF;
class QPainter;

namespace stagecraft {

QFont titleFont(const GraphPaint& paint);
QFont smallFont(const GraphPaint& paint);
// That can be read on a card of that colour.
QColor textOn(const GraphPaint& paint, const QColor& card);
QColor mutedOn(const GraphPaint& paint, const QColor& card);
// Draws as much of `text` as fits, and says how wide that is.
double drawElided(QPainter& painter, const QRectF& rect, const QString& text, Qt::Alignment alignment,
                  Qt::TextElideMode mode = Qt::ElideRight);
QString noteOf(const GraphPaint& paint, const LayoutItem& item);
// Which module an operator is of, beside its name; not where only a few letters of it would be left.
void drawModule(QPainter& painter, const GraphPaint& paint, const QRectF& rect, const QString& module,
                const QColor& color);
// Does it stand on a page by itself, in no box?
bool isOnPage(const GraphPaint& paint, const LayoutItem& item);

void paintChevron(QPainter& painter, const QRectF& rect, bool isOpen, const QColor& color);
// "x32" in a small rounded frame, right-aligned in `rect`; its width.
double paintBadge(QPainter& painter, const GraphPaint& paint, const QRectF& rect, const QString& text);
// Round marks stand on the upper edge of a card, one beside the other from its right end.
inline constexpr double markSize = 16;
inline constexpr double markGap = 3;
inline constexpr double markInset = 6; // from the end of the card
// What they take of the width of a card; 0: it has none.
double roomOfMarks(const GraphPaint& paint, ItemId id);
// A thin bar along the bottom: the share of the longest time of its kind. Next to nothing is not shown.
void paintCostBar(QPainter& painter, const GraphPaint& paint, const QRectF& rect, Seconds time,
                  Seconds longest);
// Second line: what it makes on the left, how long it takes on the right.
void paintDetail(QPainter& painter, const GraphPaint& paint, const LayoutItem& item, const QRectF& line,
                 const QColor& color);
// What stands beside the name of a card, in widths; 0: not at all.
struct CardNotes
{
    double time = 0;
    double count = 0; // of copies: "×8"

    friend bool operator==(const CardNotes&, const CardNotes&) = default;
};
// Of these what leaves a name of that width whole: the count goes first, then the time. Of a name that has no
// room by itself, what leaves most of it.
CardNotes notesBeside(double room, double name, const CardNotes& wanted);
// A title in so much room. Of the path of a module its last parts stay, which say most; of a range, a part or
// one of several, "conv1 ... conv4", "layer.3 (1/2)", "denselayer7", both ends.
QString shortTitle(const QString& title, const QFontMetricsF& metrics, double room);
// Of a page: as many lines as its height has room for: what it is called; what it holds, how long it takes;
// of what kind it is. The least, in one line: its name and its time.
void paintPageCard(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect,
                   const QColor& card);
// From further away titles of open boxes are of one size on the screen too; smaller boxes have none.
inline constexpr double farTitleHeight = 24; // of its line
inline constexpr double leastFarTitleWidth = 84;
// Does such a title cover it?
bool isBelowFarTitle(const GraphPaint& paint, ItemId id, double scale);
// From further away: its name alone, of one size on the screen, where it has room for that.
void paintFarName(QPainter& painter, const GraphPaint& paint, ItemId id, const QRectF& rect,
                  const QColor& card, double scale);
// The title of an open box whose upper left corner is at `corner`.
void paintTitleAt(QPainter& painter, const GraphPaint& paint, const LayoutItem& item, QPointF corner,
                  double room);

} // namespace stagecraft
