// IndexLists: many short lists of numbers, one behind the other in one piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stagecraft {

class IndexLists
{
public:
    std::size_t size() const { return m_ends.size(); }
    std::span<const std::uint32_t> operator[](std::size_t list) const
    {
        const std::size_t begin = list == 0 ? 0 : m_ends[list - 1];
        return std::span(m_items).subspan(begin, m_ends[list] - begin);
    }

    // One list after the other: to the one that is begun.
    void add(std::size_t item) { m_items.push_back(static_cast<std::uint32_t>(item)); }
    // It is whole; another one is begun.
    void close() { m_ends.push_back(static_cast<std::uint32_t>(m_items.size())); }
    void reserve(std::size_t lists) { m_ends.reserve(lists); }

    // `count` lists of what forEach(put) puts into them by put(list, item), each in that order. It is asked
    // twice.
    template <class ForEach>
    static IndexLists gathered(std::size_t count, const ForEach& forEach)
    {
        IndexLists made;
        made.m_ends.assign(count + 1, 0);
        forEach([&](std::size_t list, std::size_t) { ++made.m_ends[list + 1]; });
        for (std::size_t list = 0; list < count; ++list)
            made.m_ends[list + 1] += made.m_ends[list];
        made.m_items.resize(made.m_ends[count]);
        made.m_ends.pop_back(); // each is where its list begins, and goes on to its end
        forEach([&](std::size_t list, std::size_t item) {
            made.m_items[made.m_ends[list]++] = static_cast<std::uint32_t>(item);
        });
        return made;
    }

private:
    std::vector<std::uint32_t> m_ends;
    std::vector<std::uint32_t> m_items;
};

} // namespace stagecraft
