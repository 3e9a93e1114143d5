#include "views/graph/graph_pointer.h"

#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"
#include "views/graph/graph_scene.h"
#include "views/graph/graph_tooltip.h"

#include <QGraphicsView>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr double edgeReach = 4;         // pixels
constexpr double titleHeight = 24;      // of an open box
constexpr double smallestChevron = 0.3; // scale at which one can still be met

} // namespace

GraphPointer::GraphPointer(QGraphicsView* view, const GraphScene* scene, GraphPaint& paint,
                           Selection* selection, BoundaryLines& lines)
    : m_view(view), m_scene(scene), m_paint(paint), m_selection(selection), m_lines(lines)
{
}

double GraphPointer::zoom() const
{
    return m_view->transform().m11();
}

std::optional<ItemId> GraphPointer::itemAt(QPoint pixel) const
{
    if (!m_paint.layout || pixel.x() < graph_metrics::gutterWidth)
        return {};
    return m_scene->itemIdAt(m_view->mapToScene(pixel));
}

std::optional<ItemId> GraphPointer::gripAt(QPoint pixel) const
{
    const std::optional<ItemId> id = itemAt(pixel);
    if (!id)
        return {};
    const LayoutItem& item = m_paint.layout->items[*id];
    const bool isGrip = item.kind != ItemKind::OpenBox ||
                        m_view->mapToScene(pixel).y() < item.rect.y + titleHeight / std::min(1.0, zoom());
    return isGrip ? id : std::nullopt;
}

std::optional<ItemId> GraphPointer::draggableAt(QPoint pixel) const
{
    const std::optional<ItemId> item = gripAt(pixel);
    if (!item || m_paint.boundaryCount() == 0)
        return {};
    const ItemKind kind = m_paint.layout->items[*item].kind;
    const bool hasNodes = kind == ItemKind::Op || kind == ItemKind::ClosedBox || kind == ItemKind::OpenBox;
    return hasNodes ? item : std::nullopt;
}

void GraphPointer::hoverAt(QPoint pixel)
{
    const std::optional<BoundaryId> boundary = m_lines.at(pixel);
    const std::optional<ItemId> item = boundary ? std::nullopt : gripAt(pixel);
    m_view->viewport()->setCursor(boundary ? Qt::SplitVCursor : Qt::ArrowCursor);
    if (boundary == m_lines.hovered() && item == m_paint.hovered)
        return;
    m_lines.setHovered(boundary);
    m_selection->setHovered(item ? m_paint.layout->items[*item].node : std::nullopt);
    m_paint.hovered = item;
    emit changed();
}

void GraphPointer::leave()
{
    m_lines.setHovered({});
    m_selection->setHovered({});
    m_paint.hovered.reset();
    emit changed();
}

bool GraphPointer::isChevronAt(ItemId id, QPoint pixel) const
{
    const LayoutItem& item = m_paint.layout->items[id];
    const double shift = item.kind == ItemKind::OpenBox && zoom() >= zoom_level::names
                             ? titleLeft(m_paint, item) - item.rect.x
                             : 0;
    return item.box && zoom() > smallestChevron &&
           chevronRect(item).translated(shift, 0).contains(m_view->mapToScene(pixel));
}

void GraphPointer::clickAt(QPoint pixel, Qt::KeyboardModifiers modifiers)
{
    m_paint.clickedValues.clear();
    const std::optional<ItemId> item = gripAt(pixel);
    const bool adds = modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
    if (item && isChevronAt(*item, pixel)) {
        emit chevronClicked(*item);
        return;
    }
    const auto edge = m_paint.layout && !item ? m_scene->edgeAt(m_view->mapToScene(pixel), edgeReach / zoom())
                                              : std::nullopt;
    if (item) {
        clickItem(*item, adds ? Added::Yes : Added::No);
    } else if (edge) {
        clickEdge(*edge);
    } else if (!adds) {
        m_paint.current.reset();
        m_selection->setBoundary({});
        m_selection->setNodes({});
    }
    emit changed();
}

// Added to what is selected, or taken from it if it was.
void GraphPointer::clickItem(ItemId item, Added added)
{
    std::vector<NodeId> nodes = nodesShownBy(*m_paint.layout, item);
    if (const auto value = m_paint.layout->items[item].value)
        m_paint.clickedValues.push_back(*value);
    if (added == Added::Yes) {
        std::vector<NodeId> all = m_selection->nodes();
        for (const NodeId node : nodes) {
            std::erase(all, node);
            if (!m_paint.isSelected(item))
                all.push_back(node);
        }
        nodes = std::move(all);
    }
    m_paint.current = item;
    m_selection->setBoundary({});
    m_selection->setNodes(std::move(nodes));
}

void GraphPointer::clickEdge(std::size_t edge)
{
    m_paint.clickedValues = m_paint.layout->edges[edge].values;
    std::vector<NodeId> ends;
    for (const ValueId value : m_paint.clickedValues)
        if (const auto producer = (*m_paint.layout->graph)[value].producer)
            ends.push_back(*producer);
    m_selection->setBoundary({});
    m_selection->setNodes(std::move(ends));
}

void GraphPointer::selectArea(const QRect& pixels, Qt::KeyboardModifiers modifiers)
{
    if (!m_paint.layout)
        return;
    std::vector<NodeId> nodes;
    if (modifiers & Qt::ControlModifier)
        nodes = m_selection->nodes();
    for (const ItemId item : m_scene->itemIdsIn(m_view->mapToScene(pixels).boundingRect())) {
        const std::vector<NodeId> shown = nodesShownBy(*m_paint.layout, item);
        nodes.insert(nodes.end(), shown.begin(), shown.end());
    }
    m_selection->setNodes(std::move(nodes));
}

void GraphPointer::showTooltip(const QHelpEvent& event) const
{
    QString text;
    if (const auto boundary = m_lines.at(event.pos()))
        text = boundaryTooltip(m_paint.plan, *boundary);
    else if (const auto item = gripAt(event.pos()))
        text = itemTooltip(*m_paint.layout, m_paint.plan, *item, m_paint.overlay.get());
    else if (const auto values = m_scene->valuesAt(m_view->mapToScene(event.pos()), edgeReach / zoom());
             !values.empty())
        text = edgeTooltip(*m_paint.layout, m_paint.plan, values);
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event.globalPos(), text, m_view->viewport());
}

} // namespace stagecraft
