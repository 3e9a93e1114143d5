// By which caps of what regions have alive at once a bound asks.
//
//     storages   ·   ··  ·        ··      ·      of what one has alive at once: a few sizes
//     caps       ├───┼──┼─┼───┼───┼──┼───┼──...  between sizes, and beyond them: some together, then each
//
// A stage whose regions have more than one cap alive and no more than the next, has room for the first, and
// lets go of nothing that takes more than the next.
#pragma once

#include "core/recompute_ground.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

class RecomputeCaps
{
public:
    enum class Again { Any, Nothing }; // runs again

    explicit RecomputeCaps(const RecomputeGround& ground, Again again = Again::Any);

    // What the largest storage that a stage makes again takes at once: for as much it has no room besides.
    struct Sizes
    {
        Bytes least;
        Bytes most;
    };
    const std::vector<Sizes>& sizes() const { return m_sizes; } // ascending
    // What all that regions make again can take at once, where no storage of it is larger: ascending.
    const std::vector<Bytes>& of(std::size_t size) const { return m_caps[size]; }

    // Caps of a size that lie together: a region has more alive than the one before the first of these, and
    // no more than the last.
    struct Together
    {
        std::size_t size = 0;
        std::size_t first = 0;
        std::size_t end = 0;
    };
    const std::vector<Together>& together() const { return m_together; }
    Bytes before(const Together& caps) const;

private:
    void findSizes(const RecomputeGround& ground);
    std::vector<Bytes> capsOf(std::size_t size, double all) const;

    std::vector<Sizes> m_sizes;
    std::vector<std::vector<Bytes>> m_caps; // of each size
    std::vector<Together> m_together;
};

} // namespace stagecraft
