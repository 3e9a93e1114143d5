// The largest state that floats beside the links of a chain (recompute_chain.h): some stage has it, nobody
// knows which.
//
//     links    a   b   c   d   e   head      the table of x, which the head has, too, is in the stage of one
//     float      x ────────────╯             of a to e, beside what its links' nodes have
#pragma once

#include "core/recompute_chain.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

struct RoamingState
{
    double bytes = 0; // 0: there is none
    // Behind all links before that one, a stage has had it; beyond all: perhaps none.
    std::size_t due = 0;
    std::vector<std::size_t> users = {}; // links that have it, too, none before its reader; ascending

    // Of floats alone: FloatHoldings may count it where they are.
    bool isOfFloats() const { return users.empty(); }
    // Does a stage between two places have it for a user's sake, as far as they tell?
    bool isUsed(const ChainPlace& begin, const ChainPlace& end) const;
};

RoamingState roamingState(const PartitionProblem& problem, const ModelChain& chain);

} // namespace stagecraft
