// Rectangles whose areas are given weights and that are as near to squares as may be: a squarified treemap
// (Bruls, Huizing and van Wijk, 2000).
//
//     weights 6 6 4 3 2 2 1     ┌─────┬───┬──┐
//                               │  6  │ 4 │3 │
//                               ├─────┼─┬─┼──┤
//                               │  6  │2│2│ 1│
//                               └─────┴─┴─┴──┘
#pragma once

#include "core/layout/geometry.h"

#include <span>
#include <vector>

namespace stagecraft {

// A rectangle for each weight, in their order, which together fill `room`; of no area for a weight of 0 and
// where the room has none. Weights are at least 0; largest first gives the best shapes.
std::vector<Rect> squarified(std::span<const double> weights, const Rect& room);

} // namespace stagecraft
