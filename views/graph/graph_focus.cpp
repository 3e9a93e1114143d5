#include "views/graph/graph_focus.h"

#include "views/base/plain_text.h"
#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"
#include "views/graph/graph_tooltip.h"

#include <QGraphicsView>
#include <QToolTip>

#include <utility>

namespace stagecraft {

void GraphFocus::makeCurrent(ItemId item)
{
    m_paint.current = item;
    m_selection->setBoundary({});
    m_selection->setNodes(nodesShownBy(*m_paint.layout, item));
    m_paint.current = item;
    m_surroundings.showCrumbs();
    m_camera.scrollTo(toRect(m_paint.layout->items[item].rect));
    emit changed();
}

void GraphFocus::chooseEdge(int step)
{
    if (!m_paint.layout || !m_paint.current)
        return;
    m_paint.currentEdge = nextEdge(*m_paint.layout, *m_paint.current, m_paint.currentEdge, step);
    if (!m_paint.currentEdge)
        return;
    const LayoutEdge& edge = m_paint.layout->edges[*m_paint.currentEdge];
    m_paint.clickedValues = edge.values;
    const Point middle = edge.path[edge.path.size() / 2];
    m_camera.scrollTo(QRectF(middle.x, middle.y, 1, 1));
    emit changed();
    m_view->setAccessibleDescription(edgeDescription(*m_paint.layout, m_paint.plan, edge.values));
    QToolTip::showText(m_view->viewport()->mapToGlobal(m_view->mapFromScene(QPointF(middle.x, middle.y))),
                       edgeTooltip(*m_paint.layout, m_paint.plan, edge.values), m_view->viewport());
}

void GraphFocus::chooseBoundary(int step)
{
    const auto count = static_cast<int>(m_paint.boundaryCount());
    if (count == 0)
        return;
    const std::optional<BoundaryId> chosen = m_selection->boundary();
    const int index = chosen     ? (static_cast<int>(chosen->index()) + step + count) % count
                      : step > 0 ? 0
                                 : count - 1;
    m_selection->setNodes({});
    m_selection->setBoundary(BoundaryId(static_cast<std::size_t>(index)));
    const double y = positionY(*m_paint.layout, m_paint.boundaryPositions[static_cast<std::size_t>(index)]);
    const QRectF shown = m_view->mapToScene(m_view->viewport()->rect()).boundingRect();
    const double around =
        m_view->viewport()->height() / 4.0 / m_camera.zoom(); // what is on both sides is to be seen, too
    m_camera.scrollTo(QRectF(shown.left() + 1, y - around, shown.width() - 2, 2 * around));
}

void GraphFocus::choose(std::optional<BoundaryId> boundary, std::vector<NodeId> ops)
{
    m_selection->setNodes(boundary ? std::vector<NodeId>() : std::move(ops));
    m_selection->setBoundary(boundary);
}

// To what another view has selected, without opening anything: as little as needed, or not at all.
void GraphFocus::followSelection()
{
    if (m_surroundings.isLocked() || m_view->hasFocus() || !m_paint.layout)
        return;
    QRectF area;
    for (const ItemId item : itemsShowing(*m_paint.layout, m_selection->nodes()))
        area |= toRect(m_paint.layout->items[item].rect);
    const QRectF shown = m_view->mapToScene(m_view->viewport()->rect()).boundingRect();
    if (area.isEmpty() || shown.contains(area))
        return;
    m_camera.touch();
    m_camera.scrollTo(area);
}

void GraphFocus::describe()
{
    const std::size_t count = m_selection->nodes().size();
    if (count == 1 && m_paint.plan.graph)
        m_view->setAccessibleDescription(
            tr("Selected: %1").arg(shownText((*m_paint.plan.graph)[m_selection->nodes().front()].name)));
    else
        m_view->setAccessibleDescription(count == 0 ? tr("Nothing selected")
                                                    : tr("%1 ops selected").arg(count));
}

} // namespace stagecraft
