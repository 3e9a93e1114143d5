// How the things of a graph look: free functions that draw one of them, and all they need to know.
//
//     scale < 0.15    filled rectangles; titles of large boxes at a constant size on the screen
//     0.15 .. 0.5     rectangles with the stage's edge; titles of boxes; straight edges
//     0.5  .. 0.75    names, a bar for the cost; curves with arrow heads
//     >= 0.75         names, shapes, times
#pragma once

#include "core/layout/layout.h"
#include "views/graph_colors.h"
#include "views/plan_view.h"
#include "views/theme.h"

#include <QFont>
#include <QPainterPath>
#include <QRectF>
#include <QTransform>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace stagecraft {

namespace detail_scale {
inline constexpr double rectangles = 0.15;
inline constexpr double names = 0.5;
inline constexpr double everything = 0.75;
} // namespace detail_scale

// What all items of a graph read when they draw themselves. The view owns and changes it.
struct GraphPaint
{
    std::shared_ptr<const Layout> layout;
    PlanView plan;
    Theme theme;
    GraphColors colors;
    QFont font;
    std::vector<std::size_t>
        boundaryPositions; // as they are now, maybe mid-drag; in the layout's stage order
    Table<ItemId, char> selected;
    std::optional<ItemId> current; // has the keyboard
    std::optional<ItemId> hovered;
    std::vector<char> litEdges; // as layout->edges
    Seconds longestTime;

    StageId stageAt(std::size_t position) const;
    StageId stageOf(const LayoutItem& item) const;
};

QRectF toRect(const Rect& rect);
// Smooth, and as straight pieces for small scales.
QPainterPath edgeCurve(const LayoutEdge& edge);
QPainterPath edgeLine(const LayoutEdge& edge);

void paintOp(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintClosedBox(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintOpenBox(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
// The title of an open box; apart, so that it stands above the edges. Nothing at small scales.
void paintBoxTitle(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
// Titles of the open boxes that have room for them, at a constant size on the screen, for small scales;
// `toViewport` maps the drawing to the painter's pixels.
void paintFarTitles(QPainter& painter, const GraphPaint& paint, const QTransform& toViewport);
// Inputs, outputs and portals.
void paintPill(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintArrowHead(QPainter& painter, const LayoutEdge& edge);

// Where the small triangle that opens and closes a box is.
QRectF chevronRect(const LayoutItem& item);

} // namespace stagecraft
