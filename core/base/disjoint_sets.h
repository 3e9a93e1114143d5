// DisjointSets: things by their numbers, of which some belong together.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace stagecraft {

class DisjointSets
{
public:
    // Each is alone to begin with.
    explicit DisjointSets(std::size_t size) : m_parents(size)
    {
        std::iota(m_parents.begin(), m_parents.end(), std::size_t{0});
    }

    // The same of all that belong together, and of nobody else.
    std::size_t rootOf(std::size_t item)
    {
        while (m_parents[item] != item)
            item = m_parents[item] = m_parents[m_parents[item]];
        return item;
    }
    void join(std::size_t a, std::size_t b) { m_parents[rootOf(a)] = rootOf(b); }

private:
    std::vector<std::size_t> m_parents;
};

} // namespace stagecraft
