// SharedOfChain: the state that nodes of several links use (recompute_chain.h), or what floats and a link.
// Every stage of one of them has it, once.
//
//     links    embedding  a   b   c  head      ChainNode::state counts a weight that both ends have with the
//                  w ················ w        first: a stage of the last alone has it besides
#pragma once

#include "core/recompute_chain.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stagecraft {

class SharedOfChain
{
public:
    SharedOfChain(const PartitionProblem& problem, const ModelChain& chain);

    // Bytes of that, beside the state of its nodes, of a stage between two places.
    double besides(const ChainPlace& begin, const ChainPlace& end) const;

private:
    struct Shared
    {
        double bytes = 0;
        std::vector<std::size_t> links = {};     // of its users, ascending
        std::optional<std::size_t> counted = {}; // with the state of this one's nodes
    };

    std::vector<Shared> m_shared;
};

} // namespace stagecraft
