// What a stage holds of a microbatch while it runs one part of a split backward pass, and between them.
//
// Of a node each figure is of it and all nodes behind, so that of a stage whose nodes follow one another it
// is what they have up to there, less what is behind them all. Of other stages it is no less than what they
// have, and may be more: whoever asks knows another bound.
#pragma once

#include "core/base/quantities.h"

#include <algorithm>

namespace stagecraft {

struct SplitSpan
{
    Bytes input = Bytes::max();   // while the first part runs; max(): not known
    Bytes weight = Bytes::max();  // while the second does
    Bytes waiting = Bytes::max(); // between them
    Bytes behind = {};

    // Of no nodes.
    static constexpr SplitSpan none() { return {{}, {}, {}, Bytes::max()}; }
    void add(const SplitSpan& other)
    {
        input = std::max(input, other.input);
        weight = std::max(weight, other.weight);
        waiting = std::max(waiting, other.waiting);
        behind = std::min(behind, other.behind);
    }
    // Of a stage with these nodes, one of the figures above.
    Bytes of(Bytes figure) const { return std::max(Bytes{}, figure - behind); }

    friend bool operator==(const SplitSpan&, const SplitSpan&) = default;
};

} // namespace stagecraft
