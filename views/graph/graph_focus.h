// GraphFocus: what of a graph has the keyboard, and how it comes into sight: an item, an edge, a boundary,
// what another view has selected.
#pragma once

#include "views/base/selection.h"
#include "views/graph/graph_surroundings.h"

class QGraphicsView;

namespace stagecraft {

class GraphFocus : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    GraphFocus(QGraphicsView* view, GraphPaint& paint, Selection* selection, GraphCamera& camera,
               GraphSurroundings& surroundings)
        : m_view(view), m_paint(paint), m_selection(selection), m_camera(camera), m_surroundings(surroundings)
    {
    }

    // Selects what an item shows, gives it the keyboard and scrolls to it.
    void makeCurrent(ItemId item);
    // Of what has the keyboard, the next edge (1) or the one before (-1), round and round.
    void chooseEdge(int step);
    // The next boundary, or the one before, round and round; it is scrolled to.
    void chooseBoundary(int step);
    // Selects the boundary; where there is none, the ops.
    void choose(std::optional<BoundaryId> boundary, std::vector<NodeId> ops);
    // Scrolls to what another view has selected, unless that is locked.
    void followSelection();
    // For screen readers: they read the view's description, and hear when it changes.
    void describe();

signals:
    void changed(); // what is lit

private:
    QGraphicsView* m_view;
    GraphPaint& m_paint;
    Selection* m_selection;
    GraphCamera& m_camera;
    GraphSurroundings& m_surroundings;
};

} // namespace stagecraft
