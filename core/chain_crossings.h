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
    std::size_t link = 0;     // the maker's
    std::size_t position = 0; // of that in it
    double bytes = 0;
    double held = 0;       // by the run-time at the least, of one microbatch: itself
    double copied = 0;     // likewise: copies of it
    bool isNeeded = false; // by backward
    // It cannot be made again, and who saves it reads it: before the place, then it is saved there, or behind
    // it, then it is sent.
    double savedOrHeld = 0;
    bool isSaved = false;       // by a node before the place, for certain; or held, if it is not
    bool isSavedBefore = false; // the former
    std::size_t nextSaver = 0;  // the link of the first behind it; beyond all: nobody knows
};

// The gradient of a value that crosses a place for certain.
struct CrossingGradient
{
    std::size_t link = 0;     // the value's maker's
    std::size_t position = 0; // of that in it
    Bytes bytes;
    bool isReadBefore = false;  // the value, by a node before the place, for certain
    std::size_t nextReader = 0; // the link of the first behind the place; beyond all: nobody knows
};

class ChainCrossings
{
public:
    // Both must outlive it.
    ChainCrossings(const RecomputeGround& ground, const ModelChain& chain);

    // Of what nodes of links make before the place, all that the run-time holds, and all that is needed and
    // maybe not saved before it; those of later links first.
    const std::vector<ChainCrossing>& at(std::size_t place) const { return m_at[place]; }
    // Of values that the run-time relays.
    const std::vector<CrossingGradient>& gradientsAt(std::size_t place) const { return m_gradientsAt[place]; }

private:
    using Values = std::vector<const ProblemValue*>;

    bool isBefore(NodeId node, const ChainPlace& place) const;
    enum class Sent { Itself, Copy };
    double heldOf(const Values& values, const ChainPlace& place, Sent sent) const;
    bool isBehind(NodeId node, const ChainPlace& place) const;
    bool isSavedOrHeld(const ActivationUse& use, const Values& values, const ChainPlace& place) const;
    void add(StorageId id, const ActivationUse& use, const Values& values);
    void addGradient(const ProblemValue& value);
    std::size_t firstBehind(const std::vector<NodeId>& readers, const ChainPlace& place) const;

    const RecomputeGround& m_ground;
    const ModelChain& m_chain;
    Table<NodeId, std::size_t> m_linkOf;     // beyond all: it floats
    Table<NodeId, std::size_t> m_positionOf; // in its link
    bool m_holds;                            // does the run-time hold what it sends?
    std::vector<std::vector<ChainCrossing>> m_at;
    std::vector<std::vector<CrossingGradient>> m_gradientsAt;
};

} // namespace stagecraft
