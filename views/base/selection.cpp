#include "views/base/selection.h"

#include "core/base/sort_unique.h"

#include <algorithm>

namespace stagecraft {

Selection::Selection(QObject* parent) : QObject(parent) {}

bool Selection::contains(NodeId node) const
{
    return std::ranges::binary_search(m_nodes, node);
}

template <class T>
void Selection::set(T& held, T value, void (Selection::*changed)())
{
    if (held == value)
        return;
    held = std::move(value);
    (this->*changed)();
}

void Selection::setHovered(std::optional<NodeId> node)
{
    if (node)
        return setHovered(*node, {*node});
    m_hoveredNodes.clear();
    set(m_hovered, node, &Selection::hoveredChanged);
}

void Selection::setHovered(NodeId node, std::vector<NodeId> all)
{
    sortUnique(all);
    if (m_hovered == node && m_hoveredNodes == all)
        return;
    m_hovered = node;
    m_hoveredNodes = std::move(all);
    emit hoveredChanged();
}

void Selection::setNodes(std::vector<NodeId> nodes)
{
    sortUnique(nodes);
    set(m_nodes, std::move(nodes), &Selection::nodesChanged);
}

void Selection::setStage(std::optional<StageId> stage)
{
    set(m_stage, stage, &Selection::stageChanged);
}

void Selection::setBoundary(std::optional<BoundaryId> boundary)
{
    set(m_boundary, boundary, &Selection::boundaryChanged);
}

void Selection::setMatches(std::optional<std::vector<NodeId>> matches)
{
    set(m_matches, std::move(matches), &Selection::matchesChanged);
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
