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

// Panels stand on one axis, by their middle. On a page they begin at one left edge and are equally wide, and
// what skips a stage goes round it on the right instead of through portals.
StageStack stackStages(const RunTree& tree, const Table<BoxId, BoxDrawing>& drawings,
                       const LayoutMetrics& metrics, const std::optional<PageShape>& page = {});

} // namespace stagecraft
