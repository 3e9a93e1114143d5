#include "views/graph/graph_scene.h"

#include "views/base/colors.h"

#include <QPainter>
#include <QPainterPathStroker>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

constexpr int itemIdKey = 0; // of QGraphicsItem::data

double scaleOf(const QStyleOptionGraphicsItem* option, const QPainter* painter)
{
    return option->levelOfDetailFromTransform(painter->worldTransform());
}

// An operator, a box or a pill.
class GraphThing : public QGraphicsItem
{
public:
    GraphThing(const GraphPaint& paint, ItemId id) : m_paint(paint), m_id(id)
    {
        setData(itemIdKey, id.index());
        const LayoutItem& item = paint.layout->items[id];
        m_rect = toRect(item.rect);
        const bool isOpen = item.kind == ItemKind::OpenBox;
        setZValue(isOpen ? 2 * item.depth : 2 * item.depth + 1.5);
    }

    QRectF boundingRect() const override { return m_rect.adjusted(-2, -9, 9, 9); }
    QPainterPath shape() const override
    {
        QPainterPath path;
        path.addRect(m_rect);
        return path;
    }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override
    {
        if (m_paint.isFaded(m_id))
            painter->setOpacity(0.25);
        paintThing(*painter, m_paint, m_id, scaleOf(option, painter));
    }

private:
    const GraphPaint& m_paint;
    ItemId m_id;
    QRectF m_rect;
};

} // namespace

// The edges inside one box, and the box's title above them.
class GraphEdgesItem : public QGraphicsItem
{
public:
    GraphEdgesItem(const GraphPaint& paint, std::optional<ItemId> owner) : m_paint(paint), m_owner(owner)
    {
        setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
        setZValue(owner ? 2 * paint.layout->items[*owner].depth + 1 : 0.5);
        if (owner)
            m_bounds = toRect(paint.layout->items[*owner].rect);
    }

    void addEdge(std::size_t index)
    {
        const LayoutEdge& edge = m_paint.layout->edges[index];
        Edge drawn{.index = index, .curve = edgeCurve(edge), .line = edgeLine(edge)};
        drawn.bounds = drawn.curve.boundingRect().adjusted(-5, -5, 5, 5);
        m_bounds |= drawn.bounds;
        m_edges.push_back(std::move(drawn));
    }

    QRectF boundingRect() const override { return m_bounds; }
    QPainterPath shape() const override { return {}; } // a click is never for all of them

    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override
    {
        const double scale = scaleOf(option, painter);
        for (const bool lit : {false, true})
            for (const Edge& edge : m_edges)
                if (isLit(edge) == lit && edge.bounds.intersects(option->exposedRect))
                    paintEdge(*painter, edge, scale);
        if (m_owner)
            paintBoxTitle(*painter, m_paint, *m_owner, scale);
    }

    std::vector<std::size_t> edgesAt(QPointF position, double tolerance) const
    {
        const QRectF around(position.x() - tolerance, position.y() - tolerance, 2 * tolerance, 2 * tolerance);
        std::vector<std::size_t> found;
        for (const Edge& edge : m_edges) {
            if (!edge.bounds.intersects(around))
                continue;
            QPainterPathStroker stroker;
            stroker.setWidth(2 * tolerance);
            if (stroker.createStroke(edge.curve).contains(position))
                found.push_back(edge.index);
        }
        return found;
    }

private:
    struct Edge
    {
        std::size_t index = 0;
        QPainterPath curve;
        QPainterPath line;
        QRectF bounds;
    };

    bool isLit(const Edge& edge) const
    {
        return edge.index < m_paint.litEdges.size() && m_paint.litEdges[edge.index] != 0;
    }

    void paintEdge(QPainter& painter, const Edge& edge, double scale) const
    {
        const bool lit = isLit(edge);
        // From far away only what crosses from stage to stage, and what is pointed at, still tells something.
        if (scale < zoom_level::rectangles && !lit && (m_owner || scale < 0.05))
            return;
        const Theme& theme = m_paint.theme;
        // Opaque: where two pieces of a line meet, there must be no darker dot.
        const QColor quiet = mixed(theme.surface, theme.mutedText, scale < zoom_level::names ? 0.5 : 0.7);
        QPen pen(lit ? theme.accent : quiet, lit ? 2.2 : 1.2);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(scale < zoom_level::names ? edge.line : edge.curve);
        const LayoutEdge& data = m_paint.layout->edges[edge.index];
        const auto isThing = [&](ItemId id) {
            const ItemKind kind = m_paint.layout->items[id].kind;
            return kind == ItemKind::Op || kind == ItemKind::ClosedBox || kind == ItemKind::Output;
        };
        if (data.head && data.head != m_owner && isThing(*data.head) && scale >= zoom_level::names)
            paintArrowHead(painter, data);
    }

    const GraphPaint& m_paint;
    std::optional<ItemId> m_owner;
    QRectF m_bounds;
    std::vector<Edge> m_edges;
};

GraphScene::GraphScene(const GraphPaint& paint, QObject* parent) : QGraphicsScene(parent), m_paint(paint) {}

void GraphScene::rebuild()
{
    clear();
    m_edges.clear();
    if (!m_paint.layout)
        return;
    const Layout& layout = *m_paint.layout;
    std::map<std::optional<ItemId>, GraphEdgesItem*> edgesOf;
    const auto edgesItem = [&](std::optional<ItemId> owner) {
        auto& item = edgesOf[owner];
        if (item == nullptr)
            m_edges.push_back(item = new GraphEdgesItem(m_paint, owner));
        return item;
    };
    for (const ItemId id : layout.items.ids()) {
        const ItemKind kind = layout.items[id].kind;
        if (kind == ItemKind::OpenBox)
            edgesItem(id); // it has a title even without edges
        if (kind != ItemKind::Stage)
            addItem(new GraphThing(m_paint, id));
    }
    for (std::size_t i = 0; i < layout.edges.size(); ++i)
        edgesItem(layout.edges[i].owner)->addEdge(i);
    for (GraphEdgesItem* item : m_edges)
        addItem(item);
}

std::optional<ItemId> GraphScene::itemIdAt(QPointF position) const
{
    for (const QGraphicsItem* item : items(position))
        if (const QVariant id = item->data(itemIdKey); id.isValid())
            return ItemId(id.toUInt());
    return {};
}

std::vector<ItemId> GraphScene::itemIdsIn(const QRectF& area) const
{
    std::vector<ItemId> ids;
    for (const QGraphicsItem* item : items(area)) {
        const QVariant data = item->data(itemIdKey);
        if (data.isValid() && m_paint.layout->items[ItemId(data.toUInt())].kind != ItemKind::OpenBox)
            ids.push_back(ItemId(data.toUInt()));
    }
    std::ranges::sort(ids);
    return ids;
}

std::optional<std::size_t> GraphScene::edgeAt(QPointF position, double tolerance) const
{
    for (const GraphEdgesItem* item : m_edges)
        if (const auto edges = item->edgesAt(position, tolerance); !edges.empty())
            return edges.front();
    return {};
}

std::vector<ValueId> GraphScene::valuesAt(QPointF position, double tolerance) const
{
    std::vector<ValueId> values;
    for (const GraphEdgesItem* item : m_edges)
        for (const std::size_t edge : item->edgesAt(position, tolerance))
            for (const ValueId value : m_paint.layout->edges[edge].values)
                if (std::ranges::find(values, value) == values.end())
                    values.push_back(value);
    return values;
}

} // namespace stagecraft
