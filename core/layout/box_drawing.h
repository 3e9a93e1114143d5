// The inside of each open box, drawn by itself: sizes and places relative to the box.
#pragma once

#include "core/base/progress.h"
#include "core/layout/dot_text.h"
#include "core/layout/layout.h"
#include "core/layout/visible_graph.h"

#include <functional>

namespace stagecraft {

struct BoxDrawing
{
    VisibleBox visible;                    // with its portals
    Size size;                             // of the whole box
    std::vector<Rect> items;               // as visible.items
    std::vector<std::vector<Point>> edges; // as visible.edges, from border to border where they cross it
    std::vector<double> inPorts;           // x on the upper border, as visible.inPorts
    std::vector<double> outPorts;          // x on the lower border
};

// How one box is drawn: by dot, or from memory.
using DrawProblem = std::function<Result<DotDrawing>(const DotProblem&)>;

// What is drawn, and how large; all outlive the drawing.
struct DrawingSubject
{
    const Graph& graph;
    const RunTree& tree;
    const Expansion& expansion;
    const LayoutMetrics& metrics;
    const std::optional<PageShape>& page; // how stages are drawn
};

// Drawings of all open boxes but the root, whose stages are stacked by stage_stack.h. Empty for closed ones.
// Fails where `draw` does.
Result<Table<BoxId, BoxDrawing>> drawBoxes(const DrawingSubject& subject, const DrawProblem& draw);

// How large an item is drawn in an open box; in a stage, if there is a page for it. Not for open boxes.
Size itemSize(const Graph& graph, const VisibleItem& item, const LayoutMetrics& metrics,
              const std::optional<PageShape>& page);

} // namespace stagecraft
