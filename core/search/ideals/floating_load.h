// What a stage between two ideals must send and receive wherever the floating groups are (floating_cut.h),
// with direct sends.
#pragma once

#include "core/search/ideals/floating_cut.h"
#include "core/search/ideals/ideal_lattice.h"

#include <vector>

namespace stagecraft {

class FloatingLoad
{
public:
    // Nothing floats.
    FloatingLoad() = default;
    // Stages between ideals of the two lattices; none: nothing, or everything.
    FloatingLoad(const ReducedProblem& reduced, std::size_t stage, const IdealLattice* begin,
                 const IdealLattice* end);

    bool isEmpty() const { return m_groups.empty(); }
    std::size_t size() const { return m_groups.size(); }

    // Bits of the groups within the two ideals.
    struct Ends
    {
        BitSpan beginSurely;
        BitSpan beginPossibly;
        BitSpan endSurely;
        BitSpan endPossibly;
    };
    // Transfer time, besides that of values with one part surely in the stage and another surely not.
    struct Least
    {
        double transfer = 0;
        double withTime = 0; // and the time of the groups that may be elsewhere
        double openTime = 0; // of those that are done by the end for sure, here or before; at speed 1
    };
    Least least(const Ends& ends);

private:
    std::vector<ReducedGroupId> m_groups; // that float at either end
    std::vector<double> m_times;
    FloatingCut m_cut;
    std::vector<FloatingCut::Side> m_sides;
    BitWords m_inside; // bits of the groups that are in the stage for sure
    BitWords m_outside;
};

} // namespace stagecraft
