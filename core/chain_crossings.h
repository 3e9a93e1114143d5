// Which storages that a stage makes matter where it ends: what crosses that place, and what nobody before it
// saves.
//
//     conv ──s──│──► norm, which saves s         the stage before the place does not save it; what the
//             place                              run-time sends it holds till backward, whatever runs again
#pragma once

#include "core/recompute_chain.h"

#include <vector>

namespace stagecraft {

struct ChainCrossing
{
    StorageId storage{0};
    NodeId maker{0};
    std::size_t link = 0; // the maker's
    double bytes = 0;
    double held = 0;       // by the run-time at the least, of one microbatch
    bool isNeeded = false; // by backward
    bool isSaved = false;  // by a node before the place, for certain
};

class ChainCrossings
{
public:
    // Both must outlive it.
    ChainCrossings(const RecomputeGround& ground, const ModelChain& chain);

    // Of what nodes of links make before the place, all that the run-time holds, and all that is needed and
    // maybe not saved before it; those of later links first.
    const std::vector<ChainCrossing>& at(std::size_t place) const { return m_at[place]; }

private:
    using Values = std::vector<const ProblemValue*>;

    bool isBefore(NodeId node, const ChainPlace& place) const;
    double heldOf(const Values& values, const ChainPlace& place) const;
    void add(StorageId id, const ActivationUse& use, const Values& values);

    const ModelChain& m_chain;
    Table<NodeId, std::size_t> m_linkOf;     // beyond all: it floats
    Table<NodeId, std::size_t> m_positionOf; // in its link
    bool m_holds;                            // does the run-time hold what it sends?
    std::vector<std::vector<ChainCrossing>> m_at;
};

} // namespace stagecraft
