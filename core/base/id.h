// Id<Tag>: a dense index that cannot be taken for another kind of index.
// Table<IdT, T>: a vector that only that id can index.
//
//     using NodeId = Id<struct NodeTag>;
//     Table<NodeId, NodeCost> costs(graph.nodeCount());
//     costs[node].time += ...;
//     for (NodeId node : costs.ids()) ...
//
// "None" is std::optional<NodeId>, never a special number.
#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <vector>

namespace stagecraft {

template <class Tag>
class Id
{
public:
    // An id is only made from an index by the container that owns the thing, or by its Table.
    explicit constexpr Id(std::size_t index) : m_index(static_cast<std::uint32_t>(index))
    {
        assert(index <= UINT32_MAX);
    }

    constexpr std::uint32_t index() const { return m_index; }
    constexpr auto operator<=>(const Id&) const = default;

private:
    std::uint32_t m_index;
};

// All ids 0 .. count-1, for range-for.
template <class IdT>
auto idRange(std::size_t count)
{
    return std::views::iota(std::size_t{0}, count) |
           std::views::transform([](std::size_t i) { return IdT(i); });
}

template <class IdT, class T>
class Table
{
public:
    Table() = default;
    explicit Table(std::size_t size, const T& value = T()) : m_items(size, value) {}
    explicit Table(std::vector<T> items) : m_items(std::move(items)) {}

    decltype(auto) operator[](IdT id)
    {
        assert(id.index() < m_items.size());
        return m_items[id.index()];
    }
    decltype(auto) operator[](IdT id) const
    {
        assert(id.index() < m_items.size());
        return m_items[id.index()];
    }

    IdT add(T item)
    {
        m_items.push_back(std::move(item));
        return IdT(m_items.size() - 1);
    }

    std::size_t size() const { return m_items.size(); }
    bool empty() const { return m_items.empty(); }
    bool contains(IdT id) const { return id.index() < m_items.size(); }
    auto ids() const { return idRange<IdT>(m_items.size()); }

    auto begin() { return m_items.begin(); }
    auto end() { return m_items.end(); }
    auto begin() const { return m_items.begin(); }
    auto end() const { return m_items.end(); }

    const std::vector<T>& items() const { return m_items; }

    friend bool operator==(const Table&, const Table&) = default;

private:
    std::vector<T> m_items;
};

} // namespace stagecraft

template <class Tag>
struct std::hash<stagecraft::Id<Tag>>
{
    std::size_t operator()(stagecraft::Id<Tag> id) const noexcept
    {
        return std::hash<std::uint32_t>{}(id.index());
    }
};
