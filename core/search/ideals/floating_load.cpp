#include "core/search/ideals/floating_load.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

FloatingLoad::FloatingLoad(const ReducedProblem& reduced, std::size_t stage, const IdealLattice* begin,
                           const IdealLattice* end)
    : m_inside(wordsForBits(reduced.size()), 0), m_outside(m_inside)
{
    const auto floats = [](const IdealLattice* lattice, ReducedGroupId group) {
        return lattice != nullptr && lattice->isFloating(group);
    };
    Table<ReducedGroupId, std::uint32_t> indexOf(reduced.size(), 0); // 0: does not float
    for (const ReducedGroupId group : reduced.groups.ids()) {
        if (!floats(begin, group) && !floats(end, group))
            continue;
        m_groups.push_back(group);
        indexOf[group] = static_cast<std::uint32_t>(m_groups.size());
        m_times.push_back(reduced.groups[group].seconds);
    }
    if (m_groups.empty())
        return;
    std::vector<FloatingCut::Item> items;
    for (const ReducedValue& value : reduced.values) {
        FloatingCut::Item item{
            .price = std::min(reduced.transfer(value.size, receivingLink(stage)),
                              reduced.transfer(value.size, sendingLink(stage, reduced.stageCount()))),
            .inside = value.returned && end == nullptr, // the last stage must have it
            .outside = value.returned && end != nullptr,
            .bits = BitWords(m_inside.size(), 0)};
        for (const ReducedGroupId pin : value.pins) {
            if (indexOf[pin] > 0)
                item.floats.push_back(indexOf[pin] - 1);
            else
                setBit(item.bits, pin.index());
        }
        if (!item.floats.empty() && item.price > 0)
            items.push_back(std::move(item));
    }
    const double speed = reduced.options.speeds[stage];
    m_cut = FloatingCut(std::move(items), m_times, speed);
}

FloatingLoad::Least FloatingLoad::least(const Ends& ends)
{
    for (std::size_t w = 0; w < m_inside.size(); ++w) {
        m_inside[w] = ends.endSurely[w] & ~ends.beginPossibly[w];
        m_outside[w] = ~ends.endPossibly[w] | ends.beginSurely[w];
    }
    m_sides.clear();
    Least least;
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const ReducedGroupId group = m_groups[i];
        m_sides.push_back(hasBit(m_inside, group.index())    ? FloatingCut::Side::Inside
                          : hasBit(m_outside, group.index()) ? FloatingCut::Side::Outside
                                                             : FloatingCut::Side::Open);
        if (m_sides.back() == FloatingCut::Side::Open && hasBit(ends.endSurely, group.index()))
            least.openTime += m_times[i];
    }
    const FloatingCut::Least cut = m_cut.least(m_inside, m_outside, m_sides);
    least.transfer = cut.transfer;
    least.withTime = cut.withInside;
    return least;
}

} // namespace stagecraft
