// How the things of a graph look: free functions that draw one of them, and all they need to know.
//
//     scale < 0.15    filled rectangles; titles of large boxes at a constant size on the screen
//     0.15 .. 0.5     rectangles with the stage's edge; titles of boxes; straight edges
//     0.5  .. 0.75    names, a bar for the cost; curves with arrow heads
//     >= 0.75         names, shapes, times
#pragma once

#include "core/layout/layout.h"
#include "views/base/plan_view.h"
#include "views/base/theme.h"
#include "views/graph/graph_colors.h"

#include <QFont>
#include <QPainterPath>
#include <QRectF>
#include <QTransform>

#include <map>
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

namespace held_mark {
inline constexpr char pinned = 1;  // to its stage
inline constexpr char grouped = 2; // kept together with others
} // namespace held_mark

// What all items of a graph read when they draw themselves. The view owns and changes it.
struct GraphPaint
{
    std::shared_ptr<const Layout> layout;
    PlanView plan;
    Theme theme;
    GraphColors colors;
    QFont font;
    // As they are now, maybe mid-drag; in the layout's stage order.
    std::vector<std::size_t> boundaryPositions;
    Table<ItemId, char> selected;
    Table<ItemId, char> moved;     // in another stage than it is drawn in
    Table<ItemId, char> held;      // held_mark of the nodes inside
    Table<ItemId, char> faded;     // while something is looked for: what is not among the matches
    QRectF visible;                // of the drawing, beside the gutter
    std::optional<ItemId> current; // has the keyboard
    std::optional<ItemId> hovered;
    std::vector<char> litEdges; // as layout->edges
    Seconds longestTime;

    std::map<NodeId, std::vector<NodeId>> copies; // of drawn nodes that stand for others, in stage order

    void setLayout(std::shared_ptr<const Layout> newLayout);
    StageId stageOf(NodeId node) const;
    // Of its operators, in stage order: one for each copy, or for each inside a box. At least one.
    std::vector<StageId> stagesOf(const LayoutItem& item) const;
    // Of several, the first that it has been moved to; if it has not been moved, the first.
    StageId stageOf(const LayoutItem& item) const;
    bool isFaded(ItemId item) const { return faded.contains(item) && faded[item] != 0; }
    bool isMoved(ItemId item) const { return moved.contains(item) && moved[item] != 0; }
};

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
// Titles of the open boxes that have room for them, at a constant size on the screen, for small scales;
// `toViewport` maps the drawing to the painter's pixels.
void paintFarTitles(QPainter& painter, const GraphPaint& paint, const QTransform& toViewport);
// Inputs, outputs and portals.
void paintPill(QPainter& painter, const GraphPaint& paint, ItemId item, double scale);
void paintArrowHead(QPainter& painter, const LayoutEdge& edge);

// Where the small triangle that opens and closes a box is.
QRectF chevronRect(const LayoutItem& item);

} // namespace stagecraft
