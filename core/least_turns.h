// What a stage has alive at the least while its nodes run backward in turns (profile/turn_memory.h), wherever
// it begins and whatever runs again.
//
//     norm ─ conv ─ norm ─ add ─│      turn of the last norm: the gradient that add made, and what it makes
//       ╰──────── skip ─────╯  end     itself; what it saved is there, too, kept or made again
#pragma once

#include "core/recompute_chain.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stagecraft {

class LeastTurns
{
public:
    // Knows nothing where backward passes are split.
    LeastTurns(const RecomputeGround& ground, const ModelChain& chain);

    bool isEmpty() const { return m_turns.empty(); }
    // Bytes, and likewise while the node has what it saved: made again, that is gone as soon as autograd's
    // function returns, and sums of gradients come behind that.
    struct Alive
    {
        double most = 0;
        double reading = 0; // 0: it reads nothing
    };
    // At the turn of a node, by its place in the row of all links' nodes, in a stage that has all of its link
    // and of those behind it that are before `end`: above what that keeps and has not let go by then, and
    // beside what the node itself saved.
    Alive aliveAt(std::size_t place, std::size_t end) const;

private:
    // A gradient that is there where the stage has the first of these links.
    struct Gradient
    {
        std::size_t link;
        double bytes;
    };
    struct Part
    {
        double own = 0;
        std::optional<double> reading = {};
        std::vector<Gradient> gradients = {};
    };
    class Maker;

    std::vector<std::vector<Part>> m_turns; // of each place
};

} // namespace stagecraft
