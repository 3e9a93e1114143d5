// GraphSurroundings: what stands around the picture of a graph: the strip on its left with the lock below it,
// the legend and the crumbs over its lower edge.
#pragma once

#include "views/graph/graph_camera.h"
#include "views/graph/graph_crumbs.h"
#include "views/graph/graph_strip.h"

#include <QObject>

class QAbstractScrollArea;
class QToolButton;

namespace stagecraft {

class GraphSurroundings : public QObject
{
    Q_OBJECT

public:
    // All outlive it; the view owns the widgets.
    GraphSurroundings(QAbstractScrollArea* view, const GraphPaint& paint, GraphCamera& camera);

    GraphStrip* strip() const { return m_strip; }
    GraphCrumbs* crumbs() const { return m_crumbs; }
    // A button: while it is down the graph stays where it is, whatever is selected elsewhere.
    QToolButton* lock() const { return m_lock; }
    bool isLocked() const;
    const Legend* legend() const { return m_legend; }

    // Where everything stands, after the view has another size.
    void place();
    // The drawing, the plan or the colours are others.
    void refresh();
    // What is selected is another.
    void showCrumbs();
    // What the strip says is shown: all that paint.visible touches.
    void showVisible();
    // Where an operator is in the picture.
    void goTo(std::size_t position);

private:
    QAbstractScrollArea* m_view;
    const GraphPaint& m_paint;
    GraphCamera& m_camera;
    GraphStrip* m_strip;
    GraphCrumbs* m_crumbs;
    QToolButton* m_lock;
    Legend* m_legend;
};

} // namespace stagecraft
