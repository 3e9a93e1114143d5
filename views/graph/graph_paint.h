// How the things of a graph look: free functions that draw one of them.
//
//     scale < 0.15    rectangles in the colours of their stages; what boxes, or stages, are called
//     0.15 .. 0.5     the same with an edge, paler; names as far as there is room; straight edges
//     0.5  .. 0.75    cards with names, a bar for the cost; curves with arrow heads
//     >= 0.75         names, shapes, times
//
// Names are of one size on the screen below 0.5, so that some can be read at every scale (graph_text.h).
#pragma once

#include "views/graph/graph_paint_data.h"

#include <QPainterPath>
#include <QTransform>

class QPainter;

namespace stagecraft {

namespace zoom_level {
inline constexpr double rectangles = 0.15;
inline constexpr double names = 0.5;
inline constexpr double everything = 0.75;
} // namespace zoom_level

QRectF toRect(const Rect& rect);
// Smooth, and as straight pieces for small scales.
QPainterPath edgeCurve(const LayoutEdge& edge);
QPainterPath edgeLine(const LayoutEdge& edge);

// Whichever of the following it is.
void paintThing(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintOp(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintClosedBox(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintOpenBox(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
// The title of an open box; apart, so that it stands above the edges. Nothing at small scales.
void paintBoxTitle(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
// Where that title begins: at the box's left side, or where the box comes into view.
double titleLeft(const GraphPaint& paint, const LayoutItem& item);
// Titles of the open boxes that have room for them, at a constant size on the screen, for small scales; of
// the stages beside them, or in their corner, where no box in view has any. `toViewport` maps the drawing to
// the painter's pixels.
void paintFarTitles(QPainter& painter, const GraphPaint& paint, const QTransform& toViewport);
// Inputs, outputs and portals.
void paintPill(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintArrowHead(QPainter& painter, const LayoutEdge& edge);

// Where the small triangle that opens and closes a box is.
QRectF chevronRect(const LayoutItem& item);

} // namespace stagecraft
