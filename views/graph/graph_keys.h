// GraphKeys: what the keys do in the graph. See graph_view.h for the table of them.
#pragma once

#include "views/base/selection.h"
#include "views/graph/graph_paint_data.h"

class QKeyEvent;

namespace stagecraft {

class GraphView;

class GraphKeys
{
public:
    // Both outlive it; `paint` is the view's.
    GraphKeys(GraphView* view, GraphPaint& paint, Selection* selection);

    // Does what the key asks the view for; false if it asks for nothing. There must be a drawing.
    bool press(const QKeyEvent& event);

private:
    bool pressPlanKey(const QKeyEvent& event);
    bool pressBoundaryKey(const QKeyEvent& event);
    bool pressZoomKey(const QKeyEvent& event);
    bool pressBoxKey(const QKeyEvent& event);
    bool pressWalkKey(const QKeyEvent& event);

    GraphView* m_view;
    GraphPaint& m_paint;
    Selection* m_selection;
};

} // namespace stagecraft
