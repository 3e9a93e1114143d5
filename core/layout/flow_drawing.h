// The inside of a stage on a page: from left to right, in lines, as text is.
//
//     input ─► embed ─► layers 0-7 x8 ─╮      what goes to the next card goes straight; what goes further
//     ╭────────────────────────────────╯      runs between the lines; what comes in or goes out of the stage
//     ╰► norm ─► head ─► output               crosses its upper and lower border
#pragma once

#include "core/layout/dot_text.h"
#include "core/layout/layout.h"

namespace stagecraft {

// Nodes with ports are open boxes: edges meet them from above and below; all others from the left and right.
// Nodes must be in an order in which every edge goes forwards.
DotDrawing flowDrawing(const DotProblem& problem, const PageShape& shape);
// The size of that drawing alone.
Size flowSize(const DotProblem& problem, const PageShape& shape);

// A path along straight pieces with round corners, as cubic Bezier curves.
std::vector<Point> roundedPath(const std::vector<Point>& corners);

} // namespace stagecraft
