// Sets of nodes that come to share a stage one after the other, and those that must: on a cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace stagecraft {

// Disjoint sets (union-find).
class NodeSets
{
public:
    explicit NodeSets(std::size_t count) : m_parent(count)
    {
        std::iota(m_parent.begin(), m_parent.end(), 0u);
    }

    std::uint32_t find(std::uint32_t item)
    {
        while (m_parent[item] != item)
            item = m_parent[item] = m_parent[m_parent[item]];
        return item;
    }
    // The smaller number stays the root.
    void join(std::uint32_t a, std::uint32_t b)
    {
        a = find(a);
        b = find(b);
        m_parent[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> m_parent;
};

using Adjacency = std::vector<std::vector<std::uint32_t>>;

// How many items two ascending lists share; quick also where one is short and the other long.
template <class Item>
std::size_t countCommon(const std::vector<Item>& a, const std::vector<Item>& b)
{
    const auto& few = a.size() < b.size() ? a : b;
    const auto& many = a.size() < b.size() ? b : a;
    return static_cast<std::size_t>(
        std::ranges::count_if(few, [&](const Item& item) { return std::ranges::binary_search(many, item); }));
}

// Joins what lies on a cycle of `after`.
void joinCycles(const Adjacency& after, NodeSets& sets);

} // namespace stagecraft
