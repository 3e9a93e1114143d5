// What stages hold at the least for what floats beside the links of a chain (recompute_chain.h), wherever
// that is.
//
//     links    a   b │ c   d   e      a stage that has all of e has x, too, with its state and what backward
//     floats   ╰─────│──► x ───╯      needs of it, or it receives what x makes
//
// Of groups of floats alone whose results one link reads. Of those that read the same of links one at least
// is in the stage, which then receives what they read, or it receives what each makes (keys and values of
// what an encoder made, for the layers of a decoder).
#pragma once

#include "core/recompute_chain.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace stagecraft {

class FloatHoldings
{
public:
    FloatHoldings(const RecomputeGround& ground, const ModelChain& chain);

    struct Group
    {
        std::vector<NodeId> nodes; // ascending
        std::size_t reader = 0;    // the link
        double state = 0;          // bytes
        // At the least, forward, where not all of it is in the link's stage: it was in an earlier one.
        double sent = 0;
        std::vector<LeastNeeds::Point> needs = {}; // of backward, where all of it is; empty: nobody knows
    };
    // Those that read the same lie together, by who reads them.
    const std::vector<Group>& groups() const { return m_groups; }

    // How a stage has what it receives: bytes of each byte of a microbatch, of so many in flight; infinite:
    // it receives nothing.
    struct Receives
    {
        double held = 0;
        double inFlight = 1;
    };
    // For those that read the same.
    struct Held
    {
        std::size_t first = 0; // of groups()
        std::size_t end = 0;
        double state = 0;       // bytes
        double mostOfNeeds = 0; // bytes of a microbatch that their needs cost no more than
    };
    // By a stage that has these links in full, if there are some, beside what is known to cross its begin
    // (ChainFloats).
    std::vector<Held> of(std::size_t firstLink, std::size_t endLink, const Receives& receives) const;

    // Seconds at a price of a byte of a microbatch, for what backward needs: of all groups before each, and
    // of what a stage has of them, beside its state.
    std::vector<double> needsAt(double price) const;
    static double costOf(std::span<const Held> held, const std::vector<double>& needs, double price)
    {
        double cost = 0;
        for (const Held& each : held)
            cost += std::min(needs[each.end] - needs[each.first], price * each.mostOfNeeds);
        return cost;
    }

private:
    // That read the same.
    struct Alike
    {
        std::size_t first = 0;
        std::size_t end = 0;
        double read = 0; // bytes, forward
    };
    class Maker;

    std::vector<Group> m_groups;
    std::vector<Alike> m_alike;
};

} // namespace stagecraft
