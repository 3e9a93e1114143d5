// AliasSets: which values of a graph may lie in one storage, and which nodes write it.
//
//     x ──relu_──► y        {x, y}: relu_ writes it
//     b ──view──► v         {b, v, w}: add_ writes it, so that a use of b or v after add_
//     v ──add_──► w         must stay after it although no value says so
//
// What an operator does to storage is told by a function, so that this room needs to know no operators.
#pragma once

#include "core/graph/graph.h"

#include <functional>
#include <utility>
#include <vector>

namespace stagecraft {

// What one node does to storage.
struct NodeAliasing
{
    std::vector<ValueId> written;                    // values it reads whose storage it also writes
    std::vector<std::pair<ValueId, ValueId>> shared; // (result, input) that may lie in one storage
};

using AliasingOf = std::function<NodeAliasing(const Node&)>;

class AliasSets
{
public:
    // A node with subgraphs that write one of their inputs counts as writing all values it reads.
    static AliasSets find(const Graph& graph, const AliasingOf& aliasing);

    // The smallest value of the set that `value` is in: equal for values that may share storage.
    ValueId representative(ValueId value) const { return m_representatives[value]; }
    bool mayShare(ValueId a, ValueId b) const { return representative(a) == representative(b); }
    // Nodes that write the storage `value` may lie in, ascending.
    const std::vector<NodeId>& writers(ValueId value) const { return m_writers[representative(value)]; }

private:
    Table<ValueId, ValueId> m_representatives;
    Table<ValueId, std::vector<NodeId>> m_writers; // by representative
};

// Of each value the first version of the tensor that it is a version of, itself where it is no other's: a
// result that shares storage with an input to which its node writes is that input, written.
Table<ValueId, ValueId> firstVersions(const Graph& graph, const AliasingOf& aliasing);

// Pairs (before, after) that must stay in this order because one of them writes storage that the other reads
// or writes. Leaves out what data edges, or other pairs, already say; in graphs so large that finding this
// out would take long it may keep a few of those.
std::vector<std::pair<NodeId, NodeId>> storageOrder(const Graph& graph, const AliasSets& sets);

} // namespace stagecraft
