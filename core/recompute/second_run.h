// SecondRun: would a region's second run be like its first?
//
// A region that backward runs again finds its inputs, parameters and buffers as they are by then, and random
// numbers as they were when it began. What an operator writes it writes again.
#pragma once

#include "core/graph/alias_sets.h"
#include "core/recompute/plan.h"

#include <optional>
#include <set>
#include <string>

namespace stagecraft {

class SecondRun
{
public:
    // All must outlive it. With stages, only what a node's own stage writes counts: others write what they
    // were sent, which is theirs.
    SecondRun(const Model& model, OperatorSchemas& schemas, const NodeStages* stages = nullptr);

    // As checkPlan() says. The region is a run of nodes.
    Result<void> check(const RecomputeRegion& region) const;
    // Keeps those nodes, too, whose second run would not be like the first.
    void keepNeeded(RecomputeRegion& region) const;
    // Can its results be kept, as far as nothing but the node itself matters?
    bool mayKeep(NodeId node) const { return !obstacle(node); }
    // Is a second run of it like the first, as far as nothing but the node itself matters?
    bool mayRunAgain(NodeId node) const { return !difference(node); }
    // Who makes the activation that it writes; none: it writes none.
    std::optional<NodeId> makerOfWritten(NodeId node) const;
    // May it draw random numbers?
    bool isRandom(NodeId node) const;

private:
    // Why a second run of the node would not be like its first, as the end of a sentence; none: it would.
    std::optional<std::string> difference(NodeId node) const;
    // Why something that the node reads would be another by then; keeping the node does not help, for its
    // gradient may need what it reads. `ofAverages`: of those that a batch norm reads only to write them,
    // else of all others.
    std::optional<std::string> changedOperand(NodeId node, bool ofAverages) const;
    // Why its results cannot be kept; none: they can. Of a region, what isKeptTogether() says can.
    std::optional<std::string> obstacle(NodeId node, const RecomputeRegion* region = nullptr) const;
    // Does the region keep who makes the storage, and all of its own that write it? Then a second run finds
    // it as the last that writes it left it, and nobody writes it again.
    bool isKeptTogether(const RecomputeRegion& region, ValueId value) const;
    // What such storage a node that runs again would read too late; none: nothing.
    std::optional<std::string> readsTooLate(const RecomputeRegion& region, NodeId node) const;
    // The first node at or behind `from`, other than `except`, that writes where the value lies.
    std::optional<NodeId> writerBehind(ValueId value, NodeId from, std::optional<NodeId> except) const;
    // Who of that node's stage writes where the value lies; ascending.
    std::vector<NodeId> writersIn(NodeId stageOf, ValueId value) const;
    bool isWrittenBack(ValueId value) const;
    bool isStored(ValueId value) const; // does a parameter or buffer lie there?

    const Graph& m_graph;
    OperatorSchemas& m_schemas;
    const NodeStages* m_stages;
    AliasingOf m_aliasing;
    AliasSets m_sets;
    std::set<ValueId> m_stored;      // representatives of sets with parameters, buffers, constants
    std::set<ValueId> m_writtenBack; // of what the program writes at its end, inputs too
};

} // namespace stagecraft
