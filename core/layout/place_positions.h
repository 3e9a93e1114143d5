// Where a boundary would be drawn for every position of the stage order.
#pragma once

#include "core/layout/layout.h"

namespace stagecraft {

// Strictly ascending, one for each position 0 .. nodeCount. A position lies above what shows its node;
// positions at one height are spread down to the next. The layout's own boundaries are met exactly.
std::vector<double> positionHeights(const Layout& layout);

// The position among `allowed` (ascending, not empty) whose height is nearest to `y`.
std::size_t nearestPosition(const std::vector<double>& placeY, const std::vector<std::size_t>& allowed,
                            double y);

} // namespace stagecraft
