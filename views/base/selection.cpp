#include "views/base/selection.h"

#include "core/base/sort_unique.h"

#include <algorithm>

namespace stagecraft {

Selection::Selection(QObject* parent) : QObject(parent) {}

bool Selection::contains(NodeId node) const
{
    return std::ranges::binary_search(m_nodes, node);
}

void Selection::setHovered(std::optional<NodeId> node)
{
    if (node == m_hovered)
        return;
    m_hovered = node;
    emit hoveredChanged();
}

void Selection::setNodes(std::vector<NodeId> nodes)
{
    sortUnique(nodes);
    if (nodes == m_nodes)
        return;
    m_nodes = std::move(nodes);
    emit nodesChanged();
}

void Selection::setStage(std::optional<StageId> stage)
{
    if (stage == m_stage)
        return;
    m_stage = stage;
    emit stageChanged();
}

void Selection::setBoundary(std::optional<BoundaryId> boundary)
{
    if (boundary == m_boundary)
        return;
    m_boundary = boundary;
    emit boundaryChanged();
}

void Selection::clear()
{
    setHovered({});
    setNodes({});
    setStage({});
    setBoundary({});
}

void Selection::reveal(const std::vector<NodeId>& nodes)
{
    emit revealRequested(nodes);
}

} // namespace stagecraft
