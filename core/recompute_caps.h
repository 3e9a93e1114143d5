// How much regions have alive at once, in steps: of each a bound is asked for by itself.
//
//     sizes   │   │        │               │      of single storages, from nothing to the largest
//     caps     ╵╵╵ ╵╵╵╵╵╵╵╵ ╵╵╵╵╵ ╵╵╵╵╵╵╵╵╵ ╵ ╵   of all that one region makes again; larger ones are farther
//     groups   [   ][     ][     ][         ][    apart; some are looked at together first
//
// A region that has more than a step's least at once, and no more than its most, has that much less room.
#pragma once

#include "core/recompute_ground.h"

#include <vector>

namespace stagecraft {

class RecomputeCaps
{
public:
    enum class Again { Any, Nothing }; // runs again

    explicit RecomputeCaps(const RecomputeGround& ground, Again again = Again::Any);

    // What the largest storage that a stage makes again takes at once.
    struct Size
    {
        Bytes least;
        Bytes most;
    };
    // What all that one region makes again takes at once, where no storage of it is larger: more than the cap
    // before the first of these, no more than the last.
    struct Group
    {
        std::size_t size = 0;  // of sizes()
        std::size_t first = 0; // of its caps
        std::size_t end = 0;

        bool isOne() const { return end - first == 1; }
        Group firstHalf() const { return {size, first, (first + end) / 2}; }
        Group secondHalf() const { return {size, (first + end) / 2, end}; }
    };

    const std::vector<Size>& sizes() const { return m_sizes; }                    // ascending
    const std::vector<Bytes>& of(std::size_t size) const { return m_caps[size]; } // ascending
    const std::vector<Group>& groups() const { return m_groups; }                 // all of them
    double leastOf(const Group& group) const;

private:
    void findSizes(const RecomputeGround& ground);
    std::vector<Bytes> capsOf(std::size_t size, double all) const;

    std::vector<Size> m_sizes;
    std::vector<std::vector<Bytes>> m_caps;
    std::vector<Group> m_groups;
};

} // namespace stagecraft
