// A model as a row of links, each behind the one before it in every plan: what bounds on stages go along.
//
//     embedding ─ norm ─┬ q ┬─ scores ─ ... ─ head      links: [embedding] [norm] [q k v] [scores] ...
//                       ├ k ┤
//                       └ v ┘
//
// A node that has all others before or behind it is a link of its own: in no plan is a later one in an
// earlier stage. What lies between two of these is one link, whose nodes stages share as they like. What
// passes by many links and takes next to nothing is left out.
#pragma once

#include "core/recompute_choice.h"

#include <vector>

namespace stagecraft {

struct ChainNode
{
    double seconds = 0;
    double again = 0;     // to have once more what it makes and backward needs; infinite: it must be kept
    double saved = 0;     // bytes of that, of one microbatch
    double state = 0;     // bytes
    double transient = 0; // bytes, whatever is recomputed
};

struct ModelChain
{
    Table<NodeId, ChainNode> nodes;
    std::vector<std::vector<NodeId>> links; // none is empty; nodes ascend
};

ModelChain chainOf(const RecomputeGround& ground);

} // namespace stagecraft
