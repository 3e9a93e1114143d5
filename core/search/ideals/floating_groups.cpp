#include "core/search/ideals/floating_groups.h"

#include <algorithm>
#include <bit>

namespace stagecraft {

namespace {

using Place = IdealLattice::Place;

// The free groups and which of them stand in an order, directly or not.
class FreeOrder
{
public:
    FreeOrder(const ReducedProblem& reduced, const std::vector<Place>& places) : m_index(reduced.size(), 0)
    {
        for (GroupIndex group = 0; group < reduced.size(); ++group) {
            m_index[group] = static_cast<std::uint32_t>(m_groups.size());
            if (places[group] == Place::Free)
                m_groups.push_back(group);
        }
        m_words = (m_groups.size() + 63) / 64;
        m_related.assign(m_groups.size() * m_words, 0);
        std::vector<std::uint64_t> needs(m_related.size(), 0);
        for (std::uint32_t i = 0; i < m_groups.size(); ++i) {
            for (const GroupIndex before : reduced.groups[m_groups[i]].before) {
                if (places[before] == Place::Free)
                    inherit(needs, i, m_index[before]);
            }
        }
        for (std::uint32_t i = 0; i < m_groups.size(); ++i) {
            mark(m_related, i, i);
            for (std::uint32_t other = 0; other < i; ++other) {
                if ((needs[i * m_words + other / 64] >> (other % 64) & 1) != 0) {
                    mark(m_related, i, other);
                    mark(m_related, other, i);
                }
            }
        }
    }

    std::size_t size() const { return m_groups.size(); }
    GroupIndex group(std::uint32_t index) const { return m_groups[index]; }
    bool areRelated(std::uint32_t a, std::uint32_t b) const
    {
        return (m_related[a * m_words + b / 64] >> (b % 64) & 1) != 0;
    }
    std::size_t countBeside(std::uint32_t index) const
    {
        std::size_t related = 0;
        for (std::size_t w = 0; w < m_words; ++w)
            related += static_cast<std::size_t>(std::popcount(m_related[index * m_words + w]));
        return size() - related;
    }

private:
    void mark(std::vector<std::uint64_t>& bits, std::uint32_t row, std::uint32_t column) const
    {
        bits[row * m_words + column / 64] |= std::uint64_t{1} << (column % 64);
    }
    void inherit(std::vector<std::uint64_t>& needs, std::uint32_t row, std::uint32_t before) const
    {
        for (std::size_t w = 0; w < m_words; ++w)
            needs[row * m_words + w] |= needs[before * m_words + w];
        mark(needs, row, before);
    }

    std::vector<GroupIndex> m_groups;
    std::vector<std::uint32_t> m_index;
    std::size_t m_words = 0;
    std::vector<std::uint64_t> m_related;
};

} // namespace

std::vector<GroupIndex> floatingOrder(const ReducedProblem& reduced, const std::vector<Place>& places)
{
    const FreeOrder order(reduced, places);
    std::vector<std::size_t> beside(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        beside[i] = order.countBeside(i);
    std::vector<GroupIndex> floating;
    const auto time = [&](std::uint32_t i) { return reduced.groups[order.group(i)].time; };
    for (;;) {
        std::uint32_t widest = 0;
        for (std::uint32_t i = 1; i < order.size(); ++i) {
            if (beside[i] > beside[widest] || (beside[i] == beside[widest] && time(i) < time(widest)))
                widest = i;
        }
        if (order.size() == 0 || beside[widest] == 0)
            return floating;
        floating.push_back(order.group(widest));
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            if (beside[i] > 0 && !order.areRelated(widest, i))
                --beside[i];
        }
        beside[widest] = 0;
    }
}

} // namespace stagecraft
