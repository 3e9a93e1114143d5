// GraphScene: one graphics item for each thing of a layout; edges of one box in one item.
//
// Items hold no data of their own: they draw what the shared GraphPaint says about their ItemId. A change of
// colours, selection or stages is a repaint, never a rebuild.
#pragma once

#include "views/graph/graph_paint.h"

#include <QGraphicsItem>
#include <QGraphicsScene>

#include <optional>
#include <vector>

namespace stagecraft {

class GraphEdgesItem;

class GraphScene : public QGraphicsScene
{
    Q_OBJECT

public:
    explicit GraphScene(const GraphPaint& paint, QObject* parent = nullptr);

    // Builds the items anew from paint.layout.
    void rebuild();

    // The innermost thing at a point of the scene; stage panels do not count.
    std::optional<ItemId> itemIdAt(QPointF position) const;
    // All operators, closed boxes and pills that `area` touches.
    std::vector<ItemId> itemIdsIn(const QRectF& area) const;
    // Index in layout->edges of the edge within `tolerance` of a point.
    std::optional<std::size_t> edgeAt(QPointF position, double tolerance) const;
    // What all edges within `tolerance` of a point carry: where they run together, of all of them.
    std::vector<ValueId> valuesAt(QPointF position, double tolerance) const;

private:
    const GraphPaint& m_paint;
    std::vector<GraphEdgesItem*> m_edges;
};

} // namespace stagecraft
