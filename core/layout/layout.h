// Layout: where everything that is visible of a model is drawn. Plain data; no drawing, no Graphviz.
//
//     ┌ Stage 1 ──────────────────┐   items:      boxes and operators, with absolute rectangles; an open box
//     │  ┌ layers.0-7 ×8 ──────┐  │               comes before what is inside it
//     │  │   linear            │  │   edges:      curves between items of one box, or a box's own border and
//     │  └──────────┬──────────┘  │               an item inside, so that a value is followed inwards
//     └─────────────┼─────────────┘
//    ━━━━━━━━━━━━━━━┿━━━━━━━━━━━━━━   boundaries: straight lines between the stages, across the drawing
//     ┌ Stage 2 ────┴─────────────┐   placeY:     where the line would be for any other position
//
// A value that would run past many others is drawn as a *portal*: a stub with its name at each end.
// LayoutEngine (layout_engine.h) makes layouts.
#pragma once

#include "core/layout/expansion.h"
#include "core/layout/geometry.h"
#include "core/layout/run_tree.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

using ItemId = Id<struct ItemTag>;

enum class ItemKind : std::uint8_t {
    Stage,     // the panel of a stage; always open
    OpenBox,   // its inside is drawn
    ClosedBox, // a box that stands for what is inside
    Op,
    Input,     // a value that the model is given
    Output,    // values that the model returns
    PortalOut, // "goes on elsewhere": below the item that makes `value`
    PortalIn,  // "comes from elsewhere": above an item that reads `value`
};

struct LayoutItem
{
    ItemKind kind = ItemKind::Op;
    Rect rect;
    std::optional<ItemId> parent; // the open box around it; none for stage panels
    StageId stage{0};
    std::optional<BoxId> box;     // of stages and boxes
    std::optional<NodeId> node;   // of operators
    std::optional<ValueId> value; // of inputs, portals and, the first one, outputs
    std::optional<ItemId> anchor; // of portals: the item they belong to; none where that is the border
    std::size_t valueCount = 1;   // of portals
    std::size_t first = 0;        // positions [first, end) of the stage order
    std::size_t end = 0;
    int depth = 0; // 0 for stage panels
};

struct LayoutEdge
{
    std::optional<ItemId> owner; // the open box that it is drawn in; none between stages
    // What it connects. The owner itself stands for its border: the value comes in, or goes out.
    std::optional<ItemId> tail;
    std::optional<ItemId> head;
    std::vector<ValueId> values; // distinct, in order of production
    std::vector<Point> path;     // cubic Bezier: a start, then three points for each piece
};

struct BoundaryLine
{
    BoundaryId boundary{0};
    std::size_t position = 0; // in the stage order
    double y = 0;
};

// A page: the stages one below the other on one axis, what is in each from left to right, in lines as text
// is. Without it a stage is drawn from top to bottom, as what is inside an open box always is.
struct PageShape
{
    double lineWidth = 900;  // lines break where they would be longer, as far as what is in them allows
    Size card{224, 52};      // of operators and closed boxes that are in no open box
    double margin = 30;      // left of the first card: where handles of boundaries have none of the gap
    double columnGap = 30;   // between two cards
    double lineGap = 30;     // between two lines of a stage
    double padding = 10;     // above and below the lines of a stage
    double boundaryGap = 40; // between two stages

    friend bool operator==(const PageShape&, const PageShape&) = default;
};

struct Layout
{
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const RunTree> tree;
    Expansion expansion;
    std::optional<PageShape> page;

    Table<ItemId, LayoutItem> items;
    std::vector<LayoutEdge> edges;
    std::vector<BoundaryLine> boundaries;
    // Where a boundary at each position 0 .. nodeCount would be drawn: strictly ascending.
    std::vector<double> placeY;
    Size size;
    std::vector<std::string> notes; // what a person should know: "dot was not found; ..."

    // The item that shows a node: its operator, its stand-in's, or the closed box around it. None if hidden.
    Table<NodeId, std::optional<ItemId>> itemOf;
    Table<BoxId, std::optional<ItemId>> itemOfBox; // of boxes that are drawn, open or closed
};

// How large things are drawn, in pixels at scale 1.
struct LayoutMetrics
{
    Size op{188, 44};
    Size minorOp{140, 24}; // views and other operators that only rearrange
    Size closedBox{224, 52};
    Size terminal{120, 24}; // inputs and outputs
    Size portal{104, 18};
    double header = 30; // of an open box
    double padding = 16;
    double nodeGap = 24;
    double rankGap = 30;
    double boundaryGap = 72; // between two stages

    friend bool operator==(const LayoutMetrics&, const LayoutMetrics&) = default;
};

} // namespace stagecraft
