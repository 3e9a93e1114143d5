// The ideals of a boundary that can matter for a bottleneck T, without the lattice between them.
//
// The stages before a boundary cannot hold more than their capacities, those behind it must not be left with
// more than theirs; near the best bottleneck that is a narrow band of times, and of millions of ideals some
// thousands lie in it. They are found one by one: group after group is taken in or left out, and what can no
// more come to lie in the band is given up.
#pragma once

#include "core/search/bound/bounds.h"
#include "core/search/reduce/reduction.h"

#include <cstdint>
#include <vector>

namespace stagecraft {

// What the windows of a limit leave a boundary.
class IdealBand
{
public:
    // `mayBeEmpty`: stages may be left out.
    IdealBand(const ReducedProblem& reduced, const StageWindows& windows, std::size_t boundary, double limit,
              bool mayBeEmpty);

    // Can an ideal be the boundary whose groups take between `least` and `most`, of which at least `cut` must
    // be sent over it?
    bool mayHold(double least, double most, double cut) const
    {
        const double extra = m_countsCut && cut > m_leastCut ? cut - m_leastCut : 0;
        return least + extra * m_speedBefore <= m_most && most - extra * m_speedBehind >= m_least;
    }

    // Time that must be done by the boundary.
    double least() const { return m_least; }

private:
    double m_least = 0; // where no more than m_leastCut crosses the boundary
    double m_most = 0;  // likewise
    double m_leastCut = 0;
    double m_speedBefore = 1;
    double m_speedBehind = 1;
    bool m_countsCut = false;
};

} // namespace stagecraft
