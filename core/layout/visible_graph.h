// VisibleGraph: what is drawn inside each open box of a run tree, before anything has a place.
//
// Every data edge is lifted to the lowest box that holds both of its ends. Where an end lies deeper, the
// boxes around it get a *port* for the value, and the edge goes on inside, from the port.
//
//     edge a → b:     A { a }      B { b }          in A: a → out port      in the box of A and B: A → B
//                                                   in B: in port → b
#pragma once

#include "core/layout/expansion.h"
#include "core/layout/run_tree.h"

#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

// One thing inside an open box.
struct VisibleItem
{
    enum class Kind : std::uint8_t { Op, ClosedBox, OpenBox, Input, Output, PortalOut, PortalIn };
    Kind kind = Kind::Op;
    std::optional<NodeId> node;
    std::optional<BoxId> box;
    std::optional<ValueId> value;
    std::optional<std::size_t> anchor; // of portals: index of the item they belong to; none: a port
    std::size_t valueCount = 1;        // of portals: how many values come or go
};

// One end of an edge: an item, through one of its ports if it is an open box; or the surrounding box's port.
struct VisibleEnd
{
    std::optional<std::size_t> item; // none: the surrounding box itself
    std::optional<std::size_t> port; // of an open box, and of the surrounding box

    friend auto operator<=>(const VisibleEnd&, const VisibleEnd&) = default;
};

struct VisibleEdge
{
    VisibleEnd tail;
    VisibleEnd head;
    std::vector<ValueId> values;
};

struct VisibleBox
{
    std::vector<VisibleItem> items; // in stage order; every edge between items goes forwards
    std::vector<VisibleEdge> edges;
    std::vector<ValueId> inPorts;  // values that come in, by first use inside
    std::vector<ValueId> outPorts; // values that go out, by production inside
};

// One entry for each box; empty for boxes that are closed or inside closed ones. The root's items are the
// stages, as open boxes.
Table<BoxId, VisibleBox> makeVisibleGraph(const Graph& graph, const RunTree& tree,
                                          const Expansion& expansion);

// Longest-path rank of every item; 0 for those that nothing inside the box leads to.
std::vector<int> itemRanks(const VisibleBox& box);

// When a value's edges inside a box become portals.
struct PortalRule
{
    int span = 6; // more ranks than this
    std::size_t fanOut = 4;
    std::size_t fanIn = 6;
    int spanBudget = 500; // most ranks spanned by all edges that stay
};

// Replaces long edges of values that many read by portal items. Tightens the rule until the budget holds.
// Where more than a few values would have a portal at one item, they share one.
void addPortals(VisibleBox& box, const PortalRule& rule = {});

} // namespace stagecraft
