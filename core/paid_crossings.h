// What crosses places of a model's chain (chain_crossings.h), as stages that end there pay for it.
#pragma once

#include "core/chain_crossings.h"
#include "core/recompute/node_needs.h"
#include "core/recompute_gains.h"

#include <cstddef>
#include <span>
#include <vector>

namespace stagecraft {

// What crosses a place, or nobody before it saves, as stages pay for it.
struct PaidCrossing
{
    StorageId storage{0};
    NodeId maker{0};
    std::size_t link = 0; // the maker's
    std::size_t position = 0;
    double bytes = 0;
    double held = 0;
    double copied = 0;
    double savedOrHeld = 0;
    double besides = 0;  // of these, what runs do not pay for
    double takenOff = 0; // of what those gain that keep it (NodeNeeds::Made::keeps)
    bool isNeeded = false;
    bool isSaved = false;
    bool isSavedBefore = false; // the place, for certain
    bool isAlone = false;       // its maker makes nothing else that is needed
};

// Of all places.
class PaidCrossings
{
public:
    PaidCrossings(const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs,
                  const ChainCrossings& crossings, const RecomputeGains& gains);

    // Those of later links first.
    std::span<const PaidCrossing> at(std::size_t place) const
    {
        return std::span(m_all).subspan(m_first[place], m_first[place + 1] - m_first[place]);
    }

private:
    std::vector<PaidCrossing> m_all;  // place by place
    std::vector<std::size_t> m_first; // of each place; then all
};

} // namespace stagecraft
