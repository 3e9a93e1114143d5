// GraphPlace: what is seen of the graph at a moment, to come back to it.
#pragma once

#include "core/layout/expansion.h"

#include <QPointF>

#include <optional>

namespace stagecraft {

struct GraphPlace
{
    Expansion expansion;
    double zoom = 1;
    QPointF center; // of the view, in the drawing
    // What is next to the middle, and where its top left corner is, in pixels from there: another plan may
    // draw it elsewhere. None: nothing is drawn there.
    std::optional<NodeId> anchor;
    QPointF anchorPosition;
};

} // namespace stagecraft
