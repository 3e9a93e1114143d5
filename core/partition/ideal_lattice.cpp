#include "core/partition/ideal_lattice.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace stagecraft {

namespace {

std::size_t hashOf(std::span<const std::uint64_t> bits)
{
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    for (const std::uint64_t word : bits) {
        hash ^= word;
        hash *= 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
}

void setBit(std::span<std::uint64_t> bits, std::size_t bit)
{
    bits[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

bool hasBit(const std::uint64_t* bits, std::size_t bit)
{
    return (bits[bit / 64] >> (bit % 64) & 1) != 0;
}

bool includes(const std::uint64_t* bits, const std::vector<std::uint64_t>& needs)
{
    for (std::size_t w = 0; w < needs.size(); ++w) {
        if ((needs[w] & ~bits[w]) != 0)
            return false;
    }
    return true;
}

} // namespace

IdealLattice::IdealLattice(const ReducedProblem& reduced, std::vector<Place> places, std::size_t boundary,
                           std::size_t mostIdeals, const std::function<bool()>& shouldStop)
    : m_reduced(reduced), m_boundary(boundary), m_places(std::move(places))
{
    addFreeGroups();
    double time = 0;
    for (GroupIndex group = 0; group < reduced.size(); ++group) {
        if (m_places[group] == Place::Before) {
            time += reduced.groups[group].time;
            ++m_beforeCount;
        }
    }
    m_words.assign(m_wordCount, 0);
    m_time.push_back(time);
    m_cut.push_back(firstCut());
    m_groupCounts.push_back(0);
    rehash(1024);
    grow(mostIdeals, shouldStop);
}

void IdealLattice::addFreeGroups()
{
    m_bitOf.assign(m_reduced.size(), 0);
    for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
        if (m_places[group] != Place::Free)
            continue;
        m_bitOf[group] = static_cast<std::uint32_t>(m_free.size());
        m_free.push_back({group, {}});
    }
    m_wordCount = std::max<std::size_t>(1, (m_free.size() + 63) / 64);
    for (FreeGroup& free : m_free) {
        free.needs.assign(m_wordCount, 0);
        for (const GroupIndex before : m_reduced.groups[free.group].before) {
            if (m_places[before] == Place::Free)
                setBit(free.needs, m_bitOf[before]);
        }
    }
}

double IdealLattice::firstCut() const
{
    double cut = 0;
    for (const ReducedValue& value : m_reduced.values) {
        bool inside = false;
        bool outside = value.returned;
        for (const GroupIndex pin : value.pins)
            (m_places[pin] == Place::Before ? inside : outside) = true;
        if (inside && outside)
            cut += m_reduced.transfer(value.size, m_boundary);
    }
    return cut;
}

double IdealLattice::cutChange(std::size_t ideal, GroupIndex group) const
{
    double change = 0;
    for (const std::uint32_t v : m_reduced.groups[group].values) {
        const ReducedValue& value = m_reduced.values[v];
        bool inside = false;
        bool outside = value.returned;
        for (const GroupIndex pin : value.pins) {
            if (pin != group)
                (contains(ideal, pin) ? inside : outside) = true;
        }
        // It crossed if something was inside; it will if something stays outside.
        if (inside != outside)
            change += outside ? m_reduced.transfer(value.size, m_boundary)
                              : -m_reduced.transfer(value.size, m_boundary);
    }
    return change;
}

bool IdealLattice::contains(std::size_t ideal, GroupIndex group) const
{
    if (m_places[group] != Place::Free)
        return m_places[group] == Place::Before;
    return hasBit(words(ideal), m_bitOf[group]);
}

void IdealLattice::grow(std::size_t mostIdeals, const std::function<bool()>& shouldStop)
{
    std::vector<std::uint64_t> next(m_wordCount);
    for (std::size_t ideal = 0; ideal < size(); ++ideal) {
        for (std::size_t bit = 0; bit < m_free.size(); ++bit) {
            if (hasBit(words(ideal), bit) || !includes(words(ideal), m_free[bit].needs))
                continue;
            std::copy_n(words(ideal), m_wordCount, next.begin());
            setBit(next, bit);
            const std::uint32_t to = findOrAdd(next, ideal, bit);
            m_steps.emplace_back(static_cast<std::uint32_t>(ideal), to);
        }
        if (size() > mostIdeals || (ideal % 512 == 0 && shouldStop && shouldStop())) {
            m_complete = false;
            return;
        }
    }
}

std::uint32_t IdealLattice::findOrAdd(std::span<const std::uint64_t> bits, std::size_t from, std::size_t bit)
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = hashOf(bits) & mask;
    for (; m_table[slot] != 0; slot = (slot + 1) & mask) {
        if (std::equal(bits.begin(), bits.end(), words(m_table[slot] - 1)))
            return m_table[slot] - 1;
    }
    const GroupIndex group = m_free[bit].group;
    const double time = m_time[from] + m_reduced.groups[group].time;
    const double cut = std::max(0.0, m_cut[from] + cutChange(from, group));
    const auto added = static_cast<std::uint32_t>(size());
    m_words.insert(m_words.end(), bits.begin(), bits.end());
    m_time.push_back(time);
    m_cut.push_back(cut);
    m_groupCounts.push_back(m_groupCounts[from] + 1);
    m_table[slot] = added + 1;
    if (size() * 2 > m_table.size())
        rehash(m_table.size() * 2);
    return added;
}

std::uint32_t IdealLattice::find(std::span<const std::uint64_t> bits) const
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = hashOf(bits) & mask;
    while (m_table[slot] != 0 && !std::equal(bits.begin(), bits.end(), words(m_table[slot] - 1)))
        slot = (slot + 1) & mask;
    assert(m_table[slot] != 0 && "every ideal between the two ends is there");
    return m_table[slot] - 1;
}

void IdealLattice::rehash(std::size_t slotCount)
{
    m_table.assign(slotCount, 0);
    for (std::size_t ideal = 0; ideal < size(); ++ideal) {
        std::size_t slot = hashOf({words(ideal), m_wordCount}) & (slotCount - 1);
        while (m_table[slot] != 0)
            slot = (slot + 1) & (slotCount - 1);
        m_table[slot] = static_cast<std::uint32_t>(ideal + 1);
    }
}

void IdealLattice::copyGroups(std::size_t ideal, std::span<std::uint64_t> bits) const
{
    std::ranges::fill(bits, 0u);
    for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
        if (contains(ideal, group))
            setBit(bits, group);
    }
}

IdealLattice::Projector::Projector(const IdealLattice& lattice, const IdealLattice& later)
    : m_lattice(lattice), m_later(later), m_fixed(lattice.m_wordCount, 0), m_new(later.m_wordCount, 0)
{
    for (GroupIndex group = 0; group < lattice.m_places.size(); ++group) {
        const Place here = lattice.m_places[group];
        const Place there = later.m_places[group];
        if (here == Place::Behind && there == Place::Before)
            m_outside = true;
        if (here == Place::Behind && there == Place::Free)
            setBit(m_new, later.m_bitOf[group]);
        if (here != Place::Free)
            continue;
        if (there == Place::Before)
            setBit(m_fixed, lattice.m_bitOf[group]);
        else if (there == Place::Free)
            m_bits.emplace_back(later.m_bitOf[group], lattice.m_bitOf[group]);
    }
}

IdealLattice::Projection IdealLattice::Projector::project(std::size_t ideal) const
{
    std::vector<std::uint64_t> bits = m_fixed;
    const std::uint64_t* const there = m_later.words(ideal);
    for (const auto& [from, to] : m_bits) {
        if (hasBit(there, from))
            setBit(bits, to);
    }
    bool whole = !m_outside;
    for (std::size_t w = 0; whole && w < m_new.size(); ++w)
        whole = (there[w] & m_new[w]) == 0;
    return {m_lattice.find(bits), whole};
}

} // namespace stagecraft
