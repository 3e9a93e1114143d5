// Walking through a graph with the keyboard.
#pragma once

#include "core/layout/layout.h"
#include "views/base/plan_view.h"

#include <optional>
#include <vector>

namespace stagecraft {

enum class WalkDirection {
    Up,   // to what makes a value that the item reads
    Down, // to what reads a value that it makes
    Left, // to its neighbour at about the same height
    Right,
};

// The operator or closed box that is met next from `from`; none at the end of the way. Up and Down follow
// edges through the borders of boxes and through portals, to the nearest one sideways; Left and Right stay
// in the box.
std::optional<ItemId> walk(const Layout& layout, ItemId from, WalkDirection direction);

// Nodes that an item shows: its operator, or all that are inside, in every copy.
std::vector<NodeId> nodesShownBy(const Layout& layout, ItemId item);
std::vector<NodeId> nodesShownBy(const Layout& layout, const LayoutItem& item);
// What a person means who takes hold of `nodes` of a folded box and moves them on: those of the copy that is
// next to where they go, the last one on the way down. Nodes of which every copy is among `nodes`, as of the
// whole folded box, stay as they are.
std::vector<NodeId> nearestCopies(const RunTree& tree, const std::vector<NodeId>& nodes,
                                  StageDirection direction);
// The items that show nodes, ascending and distinct.
std::vector<ItemId> itemsShowing(const Layout& layout, const std::vector<NodeId>& nodes);
// The item of the previous or next drawn operator of the stage order.
std::optional<ItemId> nextInOrder(const Layout& layout, ItemId from, WalkDirection direction);

// The edge of an item that comes after `from`, or before with a step of -1, round and round; none if it has
// none. Of those that go through a border, the one beside the item.
std::optional<std::size_t> nextEdge(const Layout& layout, ItemId item, std::optional<std::size_t> from,
                                    int step);
// What is at an end of an edge, whatever borders and portals are in between: what makes its first value (Up),
// or of what reads it the first that is not `from` (Down).
std::optional<ItemId> edgeEnd(const Layout& layout, std::size_t edge, ItemId from, WalkDirection direction);

// The first look at a drawing from its top, in a view of `pixels`: as large as all that is at that height can
// be seen, or as small as it can still be read; then where most is to be seen.
struct OpeningView
{
    double zoom = 1; // in [smallestZoom, largestZoom]
    double centerX = 0;
};
OpeningView openingView(const Layout& layout, Size pixels, double smallestZoom, double largestZoom = 1);

} // namespace stagecraft
