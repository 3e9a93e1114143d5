// A model as a row of links, each behind the one before it in every plan, and where stages can end.
//
//     embedding ─ norm ─┬ q ┬─ scores ─ ... ─ head      links: [embedding] [norm] [q k v] [scores] ...
//                       ├ k ┤                           places: before each link, and within [q k v] behind
//                       └ v ┘                           {q}, {k}, {v}, {q k}, {q v}, {k v}
//
// A node that has all others before or behind it is a link of its own: in no plan is a later one in an
// earlier stage. What lies between two of these is one link, whose nodes stages share as their order allows.
// What passes by many links would make one of all of them: it floats, in whichever of the stages there.
#pragma once

#include "core/plan/stage_cost.h"
#include "core/recompute_ground.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stagecraft {

struct ChainNode
{
    double seconds = 0;
    double state = 0;            // bytes
    double transient = 0;        // bytes, whatever is recomputed
    double transientWithout = 0; // where nothing is
};

// Where a stage ends and the next begins.
struct ChainPlace
{
    std::size_t link = 0;     // all before it have been run
    std::vector<char> inside; // of it these; empty: none
    // Of a link with too many ways to part it: instead of `inside`, the least and the most seconds that have
    // been run of it.
    bool isSpan = false;
    std::size_t members = 0; // so many places behind it are all that these may be; 0: they are not listed
    double least = 0;
    double most = 0;
    TransferSize crosses; // at least, forward and backward
    // So many stages in a row may begin and end there, without any of the links' nodes.
    std::size_t mostIdle = 0;

    bool isBetween() const { return inside.empty() && !isSpan; } // two links
    // That a stage which begins here has all of.
    std::size_t firstWhole() const { return link + (isBetween() ? 0 : 1); }
    // Is it behind a node for certain, at that position of its link? Before that?
    bool isBehind(std::size_t other, std::size_t position) const
    {
        return other < link || (other == link && !inside.empty() && inside[position] != 0);
    }
    bool isBefore(std::size_t other, std::size_t position) const
    {
        return other > link || (other == link && !isSpan && (inside.empty() || inside[position] == 0));
    }
};

// A node that is in no link: it can be run when all links before `ready` have been, and has been when all
// before `due` have.
struct ChainFloat
{
    double seconds = 0;
    std::size_t ready = 0;
    std::size_t due = 0;
};

struct ModelChain
{
    Table<NodeId, ChainNode> nodes;
    std::vector<std::vector<NodeId>> links; // none is empty; nodes ascend
    std::vector<ChainFloat> floats;
    std::vector<ChainPlace> places; // by their links, the ends of the chain first and last
    bool hasMembers = false;        // have spans some, listed or not?
};

// Of so many nodes the link that each is in; none: it floats.
Table<NodeId, std::optional<std::size_t>> linksOfNodes(const ModelChain& chain, std::size_t count);

// Are members of spans among the places? They may be many times as many as all others.
enum class Members { Listed, LeftOut };

ModelChain chainOf(const RecomputeGround& ground, Members members);

} // namespace stagecraft
