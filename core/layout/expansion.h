// Expansion: which boxes of a drawing are open.
#pragma once

#include "core/layout/run_tree.h"

#include <set>

namespace stagecraft {

// Stages and the root always are open. It belongs to a GroupTree and outlives
// the run trees made from it; opening a folded box opens the same place in every copy.
class Expansion
{
public:
    bool isOpen(const RunTree& tree, BoxId box) const;
    void open(const RunTree& tree, BoxId box);
    void close(const RunTree& tree, BoxId box);
    void openBelow(const RunTree& tree, BoxId box); // the box and everything inside
    void closeBelow(const RunTree& tree, BoxId box);
    // Opens what encloses `node`, so that it is drawn itself, or its stand-in is.
    void reveal(const RunTree& tree, NodeId node);

    friend bool operator==(const Expansion&, const Expansion&) = default;

private:
    std::set<GroupId> m_open;
};

// Everything open.
Expansion fullExpansion(const RunTree& tree);
// Boxes at most `depth` below their stage are open, containers (graph/module_containers.h) not counted, as in
// summarize(); 0 opens none. `graph` is the tree's.
Expansion expansionToDepth(const Graph& graph, const RunTree& tree, int depth);
// The opening state of a drawing: boxes are opened, those of the greatest weight first, while at most
// `maxItems` items would be drawn. `weights` are costs of nodes, not negative.
Expansion openingExpansion(const RunTree& tree, const Table<NodeId, double>& weights,
                           std::size_t maxItems = 150);

} // namespace stagecraft
