#include "core/search/ideals/floating_groups.h"

namespace stagecraft {

namespace {

using Place = IdealLattice::Place;

// The free groups and which of them stand in an order, directly or not.
class FreeOrder
{
public:
    FreeOrder(const ReducedProblem& reduced, const IdealLattice::Places& places) : m_index(reduced.size(), 0)
    {
        for (const ReducedGroupId group : reduced.groups.ids()) {
            m_index[group] = static_cast<std::uint32_t>(m_groups.size());
            if (places[group] == Place::Free)
                m_groups.push_back(group);
        }
        m_words = wordsForBits(m_groups.size());
        m_related.assign(m_groups.size() * m_words, 0);
        BitWords needs(m_related.size(), 0);
        for (std::uint32_t i = 0; i < m_groups.size(); ++i) {
            for (const ReducedGroupId before : reduced.groups[m_groups[i]].before) {
                if (places[before] != Place::Free)
                    continue;
                unite(row(needs, i), row(needs, m_index[before]));
                setBit(row(needs, i), m_index[before]);
            }
        }
        for (std::uint32_t i = 0; i < m_groups.size(); ++i) {
            setBit(row(m_related, i), i);
            forEachBit(row(needs, i), [&](std::size_t other) {
                setBit(row(m_related, i), other);
                setBit(row(m_related, other), i);
            });
        }
    }

    std::size_t size() const { return m_groups.size(); }
    ReducedGroupId group(std::uint32_t index) const { return m_groups[index]; }
    bool areRelated(std::uint32_t a, std::uint32_t b) { return hasBit(row(m_related, a), b); }
    std::size_t countBeside(std::uint32_t index) { return size() - countBits(row(m_related, index)); }

private:
    MutableBitSpan row(BitWords& bits, std::size_t index) const
    {
        return MutableBitSpan(bits).subspan(index * m_words, m_words);
    }

    std::vector<ReducedGroupId> m_groups;
    Table<ReducedGroupId, std::uint32_t> m_index;
    std::size_t m_words = 0;
    BitWords m_related; // of each, the others with an order to it
};

} // namespace

std::vector<ReducedGroupId> floatingOrder(const ReducedProblem& reduced, const IdealLattice::Places& places)
{
    FreeOrder order(reduced, places);
    std::vector<std::size_t> beside(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        beside[i] = order.countBeside(i);
    std::vector<ReducedGroupId> floating;
    const auto time = [&](std::uint32_t i) { return reduced.groups[order.group(i)].seconds; };
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
