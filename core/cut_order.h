// CutOrder: an order of a model's nodes, each behind those that it needs, in which stages are cut.
//
//     program        a0 a1 a2 a3 b0 b1 b2 b3 end     one branch behind the other, as the program has them,
//     depth first    b0 b1 b2 b3 a0 a1 a2 a3 end     or that first which the program has last
//
// Slices of one order never are those of another. Where a model is a chain, all orders are nearly one.
#pragma once

#include "core/plan/partition.h"
#include "core/plan/problem.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

class CutOrder
{
public:
    explicit CutOrder(std::vector<NodeId> nodes); // all, each once

    const std::vector<NodeId>& nodes() const { return m_nodes; }
    NodeId at(std::size_t place) const { return m_nodes[place]; }
    std::size_t placeOf(NodeId node) const { return m_places[node]; }

private:
    std::vector<NodeId> m_nodes;
    Table<NodeId, std::size_t> m_places;
};

CutOrder programOrder(const PartitionProblem& problem);

// Others, where branches are about as long as a stage or longer; chains have none.
std::vector<CutOrder> otherOrders(const PartitionProblem& problem);

// Stage by stage, within each as in `order`: the partition is a slicing of it.
CutOrder orderOfStages(const Partition& partition, const CutOrder& order);

} // namespace stagecraft
