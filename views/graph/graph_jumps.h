// GraphJumps: brings what is asked for into sight, at once or when the boxes around it are drawn open, and
// says what was seen before.
#pragma once

#include "views/graph/graph_camera.h"

#include <QObject>

#include <vector>

namespace stagecraft {

class GraphJumps : public QObject
{
    Q_OBJECT

public:
    // Both outlive it.
    GraphJumps(const GraphPaint& paint, GraphCamera& camera) : m_paint(paint), m_camera(camera) {}

    // Opens and scrolls so that the nodes can be seen; asks for a new layout where they are inside closed
    // boxes.
    void reveal(const std::vector<NodeId>& nodes);
    // Folds, zoom and part of the drawing as they were; asks for a new layout where folds differ.
    void show(const GraphPlace& place);
    // Something is about to move the picture.
    void leave();
    // The layout is another: what waited for it is shown.
    void takeLayout();
    // The person goes elsewhere, or the graph is another: nothing is waited for.
    void forget();

signals:
    void expansionRequested(const stagecraft::Expansion& expansion);
    void leaving(const std::optional<stagecraft::GraphPlace>& place); // what is seen; none: not drawn yet

private:
    const GraphPaint& m_paint;
    GraphCamera& m_camera;
    std::vector<NodeId> m_toReveal;
    std::optional<GraphPlace> m_toShow;
    Expansion m_foldsBefore; // when m_toShow was asked for
};

} // namespace stagecraft
