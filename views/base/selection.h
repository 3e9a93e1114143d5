// Selection: what the person points at, shared by all views.
//
// Every view reads and sets it; no view knows another. The window owns it.
#pragma once

#include "core/graph/argument.h"
#include "core/plan/partition.h"

#include <QObject>

#include <optional>
#include <vector>

namespace stagecraft {

class Selection : public QObject
{
    Q_OBJECT

public:
    explicit Selection(QObject* parent = nullptr);

    std::optional<NodeId> hovered() const { return m_hovered; }
    // With all that are pointed at together: of a line of code that runs for several blocks.
    const std::vector<NodeId>& hoveredNodes() const { return m_hoveredNodes; } // ascending, distinct
    const std::vector<NodeId>& nodes() const { return m_nodes; }               // ascending, distinct
    bool contains(NodeId node) const;
    std::optional<StageId> stage() const { return m_stage; }
    std::optional<BoundaryId> boundary() const { return m_boundary; }
    // What the person looks for, ascending; none: nothing is looked for.
    const std::optional<std::vector<NodeId>>& matches() const { return m_matches; }

    void setHovered(std::optional<NodeId> node);
    // One of several that are pointed at together.
    void setHovered(NodeId node, std::vector<NodeId> all);
    void setNodes(std::vector<NodeId> nodes);
    void setStage(std::optional<StageId> stage);
    void setBoundary(std::optional<BoundaryId> boundary);
    void setMatches(std::optional<std::vector<NodeId>> matches);
    bool isEmpty() const { return m_nodes.empty() && !m_stage && !m_boundary; }
    // What is looked for stays.
    void clear();
    // Scrolls every view to these nodes without changing what is selected.
    void reveal(const std::vector<NodeId>& nodes);

signals:
    void hoveredChanged();
    void nodesChanged();
    void stageChanged();
    void boundaryChanged();
    void matchesChanged();
    void revealRequested(const std::vector<NodeId>& nodes);

private:
    template <class T>
    void set(T& held, T value, void (Selection::*changed)());

    std::optional<NodeId> m_hovered;
    std::vector<NodeId> m_hoveredNodes;
    std::vector<NodeId> m_nodes;
    std::optional<StageId> m_stage;
    std::optional<BoundaryId> m_boundary;
    std::optional<std::vector<NodeId>> m_matches;
};

} // namespace stagecraft
