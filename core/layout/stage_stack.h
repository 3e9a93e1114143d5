// The panels of the stages, one below the other, and what goes from one to the next.
#pragma once

#include "core/layout/box_drawing.h"

namespace stagecraft {

struct StageStack
{
    std::vector<Rect> panels;              // absolute, by stage
    std::vector<double> boundaries;        // y of the line below each panel but the last
    VisibleBox visible;                    // the root's, portals behind the stages
    std::vector<Rect> portals;             // of visible.items behind the stages
    std::vector<std::vector<Point>> edges; // as visible.edges
    Size size;
};

// Panels are moved sideways so that what goes from one to the next goes straight down where it can.
StageStack stackStages(const RunTree& tree, const Table<BoxId, BoxDrawing>& drawings,
                       const LayoutMetrics& metrics);

} // namespace stagecraft
