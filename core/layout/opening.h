// The first look at a model: a page of a few labelled boxes that explains it.
//
// Modules that only hold others together get no box (the whole model, `encoder`), nor is a repeated layer
// ever taken apart; what is left stands on a page in lines (flow_drawing.h). Which modules those are and what
// the page is like are chosen so that, fitted into the view, all can be read and the view is well used.
#pragma once

#include "core/layout/box_drawing.h"
#include "core/layout/make_run_tree.h"

namespace stagecraft {

// What a page must be like in the view that it is fitted into.
namespace page_rules {
inline constexpr double smallestZoom = 0.83; // the smallest text has 11 pixels at 1
inline constexpr double largestZoom = 2;
inline constexpr double leastFill = 0.55; // of the view's width, and of its height
} // namespace page_rules

struct Opening
{
    std::set<GroupId> dissolved;
    PageShape shape;

    friend bool operator==(const Opening&, const Opening&) = default;
};

// `weights` are costs of nodes, not negative: of two modules the one that costs more is taken apart first.
// `options.dissolved` does not count. `view` is in pixels.
Opening chooseOpening(const Graph& graph, const GroupTree& groups, const Partition& partition,
                      const Table<NodeId, double>& weights, const RunTreeOptions& options, Size view);
// The shape of a page for what is dissolved already.
PageShape choosePageShape(const Graph& graph, const RunTree& tree, Size view);

} // namespace stagecraft
