// Walking through a graph with the keyboard.
#pragma once

#include "core/layout/layout.h"

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
// The items that show nodes, ascending and distinct.
std::vector<ItemId> itemsShowing(const Layout& layout, const std::vector<NodeId>& nodes);
// The item of the previous or next drawn operator of the stage order.
std::optional<ItemId> nextInOrder(const Layout& layout, ItemId from, WalkDirection direction);

} // namespace stagecraft
