// The keys of the graph that are not actions of the window: walking, scrolling, boxes, moving a boundary.
#pragma once

class QKeyEvent;

namespace stagecraft {

class GraphView;
class Selection;
struct GraphPaint;

// Does what the key asks the view for; false if it asks for nothing. There must be a drawing; `paint` is the
// view's. See graph_view.h for the table of keys.
bool pressGraphKey(GraphView& view, const GraphPaint& paint, const Selection& selection,
                   const QKeyEvent& event);

} // namespace stagecraft
