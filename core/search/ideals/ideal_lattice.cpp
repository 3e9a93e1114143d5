#include "core/search/ideals/ideal_lattice.h"

#include "core/base/noise.h"
#include "core/base/sort_unique.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace stagecraft {

IdealLattice::IdealLattice(const ReducedProblem& reduced, Places places, std::size_t boundary,
                           std::size_t mostIdeals, const ShouldStop& shouldStop)
    : m_reduced(reduced), m_boundary(boundary), m_places(std::move(places))
{
    addGroups();
    linkFloats();
    listValues();
    makeFloatingCut();
    addFirst();
    rehash(1024);
    grow(mostIdeals, shouldStop);
}

// What a group needs counts through floating groups: they may be left out of an entry, their needs not.
void IdealLattice::addGroups()
{
    m_bitOf = Table<ReducedGroupId, std::uint32_t>(m_reduced.size());
    std::size_t freeCount = 0;
    for (const ReducedGroupId group : m_reduced.groups.ids()) {
        if (m_places[group] == Place::Free)
            m_bitOf[group] = static_cast<std::uint32_t>(freeCount++);
    }
    m_wordCount = std::max<std::size_t>(1, wordsForBits(freeCount));
    for (const ReducedGroupId group : m_reduced.groups.ids()) {
        if (m_places[group] != Place::Free && m_places[group] != Place::Floating)
            continue;
        BitWords needs(m_wordCount, 0);
        for (const ReducedGroupId before : m_reduced.groups[group].before) {
            if (m_places[before] == Place::Free)
                setBit(needs, m_bitOf[before]);
            else if (m_places[before] == Place::Floating)
                unite(needs, m_floats[m_bitOf[before]].needs);
        }
        if (m_places[group] == Place::Free) {
            m_free.push_back({.group = group, .needs = std::move(needs)});
            continue;
        }
        m_bitOf[group] = static_cast<std::uint32_t>(m_floats.size());
        m_floats.push_back({group, std::move(needs), BitWords(m_wordCount, 0)});
    }
}

void IdealLattice::linkFloats()
{
    for (std::uint32_t bit = 0; bit < m_free.size(); ++bit) {
        for (std::uint32_t other = 0; other < m_free.size(); ++other) {
            if (hasBit(m_free[other].needs, bit))
                m_free[bit].next.push_back(other);
        }
    }
    for (std::size_t f = m_floats.size(); f-- > 0;) {
        FloatingGroup& item = m_floats[f];
        for (const ReducedGroupId after : m_reduced.groups[item.group].after) {
            if (m_places[after] == Place::Free)
                setBit(item.users, m_bitOf[after]);
            else if (m_places[after] == Place::Floating)
                unite(item.users, m_floats[m_bitOf[after]].users);
        }
        for (std::size_t bit = 0; bit < m_free.size(); ++bit) {
            if (hasBit(item.needs, bit))
                m_free[bit].enables.push_back(static_cast<std::uint32_t>(f));
            if (hasBit(item.users, bit))
                m_free[bit].demands.push_back(static_cast<std::uint32_t>(f));
        }
    }
}

void IdealLattice::listValues()
{
    for (FreeGroup& free : m_free) {
        free.values = m_reduced.groups[free.group].values;
        for (const auto* floats : {&free.enables, &free.demands}) {
            for (const std::uint32_t f : *floats) {
                const auto& more = m_reduced.groups[m_floats[f].group].values;
                free.values.insert(free.values.end(), more.begin(), more.end());
            }
        }
        sortUnique(free.values);
    }
}

// With relayed values, of which each boundary counts all that crosses it.
void IdealLattice::makeFloatingCut()
{
    const PartitionOptions& options = m_reduced.options;
    if (m_floats.empty() || options.send == SendKind::Direct || options.objective == Objective::Compute)
        return;
    std::vector<FloatingCut::Item> items;
    for (const ReducedValue& value : m_reduced.values) {
        FloatingCut::Item item{.price = m_reduced.transfer(value.size, m_boundary),
                               .outside = value.returned,
                               .bits = BitWords(m_wordCount, 0)};
        for (const ReducedGroupId pin : value.pins) {
            item.inside |= m_places[pin] == Place::Before;
            item.outside |= m_places[pin] == Place::Behind;
            if (m_places[pin] == Place::Free)
                setBit(item.bits, m_bitOf[pin]);
            else if (m_places[pin] == Place::Floating)
                item.floats.push_back(m_bitOf[pin]);
        }
        if (!item.floats.empty() && item.price > 0)
            items.push_back(std::move(item));
    }
    std::vector<double> times;
    for (const FloatingGroup& item : m_floats)
        times.push_back(m_reduced.groups[item.group].seconds);
    m_floatingCut =
        FloatingCut(std::move(items), std::move(times), speed(m_boundary),
                    m_reduced.features.shares ? std::optional(speed(m_boundary + 1)) : std::nullopt);
    m_sides.resize(m_floats.size());
    m_missing.resize(m_wordCount);
}

// For the entry that was added last.
void IdealLattice::addFloating()
{
    if (m_sides.empty())
        return;
    const BitSpan bits = words(size() - 1);
    for (std::size_t f = 0; f < m_floats.size(); ++f) {
        m_sides[f] = meets(bits, m_floats[f].users)       ? FloatingCut::Side::Inside
                     : !includes(bits, m_floats[f].needs) ? FloatingCut::Side::Outside
                                                          : FloatingCut::Side::Open;
    }
    for (std::size_t w = 0; w < m_wordCount; ++w)
        m_missing[w] = ~bits[w];
    m_floating.push_back(m_floatingCut.least(bits, m_missing, m_sides));
}

// The entry without free groups.
void IdealLattice::addFirst()
{
    double time = 0;
    Held held;
    for (const ReducedGroupId group : m_reduced.groups.ids()) {
        if (m_places[group] == Place::Before) {
            time += m_reduced.groups[group].seconds;
            held.least += m_reduced.groups[group].least;
            held.most += m_reduced.groups[group].least;
            ++m_beforeCount;
        }
    }
    m_words.assign(m_wordCount, 0);
    m_hashes.push_back(0);
    m_ready.assign(m_wordCount, 0);
    Noise noise(0);
    for (std::size_t bit = 0; bit < m_free.size(); ++bit) {
        m_keys.push_back(noise.next());
        if (includes(words(0), m_free[bit].needs))
            setBit(m_ready, bit);
    }
    m_least.push_back(time);
    for (const FloatingGroup& item : m_floats) {
        if (!isOutside(words(0), item.group)) {
            time += m_reduced.groups[item.group].seconds;
            held.most += m_reduced.groups[item.group].least;
        }
    }
    m_most.push_back(time);
    if (m_reduced.limitsMemory)
        m_bytes.push_back(held);
    double cut = 0;
    for (std::uint32_t v = 0; v < m_reduced.values.size(); ++v) {
        if (crosses(words(0), v))
            cut += m_reduced.transfer(m_reduced.values[v].size, m_boundary);
    }
    m_cut.push_back(cut);
    addFloating();
    m_groupCounts.push_back(0);
}

bool IdealLattice::isInside(BitSpan bits, ReducedGroupId group) const
{
    switch (m_places[group]) {
    case Place::Before:
        return true;
    case Place::Free:
        return hasBit(bits, m_bitOf[group]);
    case Place::Floating:
        return meets(bits, m_floats[m_bitOf[group]].users);
    case Place::Behind:
        break;
    }
    return false;
}

bool IdealLattice::isOutside(BitSpan bits, ReducedGroupId group) const
{
    switch (m_places[group]) {
    case Place::Before:
        return false;
    case Place::Free:
        return !hasBit(bits, m_bitOf[group]);
    case Place::Floating:
        return !includes(bits, m_floats[m_bitOf[group]].needs);
    case Place::Behind:
        break;
    }
    return true;
}

bool IdealLattice::crosses(BitSpan bits, std::uint32_t value) const
{
    bool inside = false;
    bool outside = m_reduced.values[value].returned;
    for (const ReducedGroupId pin : m_reduced.values[value].pins) {
        inside = inside || isInside(bits, pin);
        outside = outside || isOutside(bits, pin);
        if (inside && outside)
            return true;
    }
    return false;
}

void IdealLattice::grow(std::size_t mostIdeals, const ShouldStop& shouldStop)
{
    BitWords next(m_wordCount);
    std::size_t work = 0;
    for (std::size_t ideal = 0; ideal < size(); ++ideal) {
        for (std::size_t w = 0; w < m_wordCount; ++w) {
            for (std::uint64_t bits = m_ready[ideal * m_wordCount + w]; bits != 0; bits &= bits - 1) {
                const std::size_t bit = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                std::ranges::copy(words(ideal), next.begin());
                setBit(next, bit);
                const std::uint32_t to = findOrAdd(next, ideal, bit);
                m_steps.emplace_back(static_cast<std::uint32_t>(ideal), to);
                work += 60;
            }
        }
        work += 300 + m_floats.size() * (m_sides.empty() ? 0 : 60) + m_floatingCut.takeSteps() * 4;
        constexpr std::size_t interval = 512, muchWork = 2'000'000;
        const bool asks = (ideal % interval == interval - 1 || work >= muchWork) && shouldStop;
        if (size() > mostIdeals || (asks && shouldStop(std::exchange(work, 0)))) {
            m_complete = false;
            return;
        }
    }
    m_ready = {};
}

std::uint32_t IdealLattice::findOrAdd(BitSpan bits, std::size_t from, std::size_t bit)
{
    const std::size_t mask = m_table.size() - 1;
    const std::uint64_t hash = m_hashes[from] ^ m_keys[bit];
    std::size_t slot = hash & mask;
    for (; m_table[slot] != 0; slot = (slot + 1) & mask) {
        if (isThere(m_table[slot] - 1, hash, bits))
            return m_table[slot] - 1;
    }
    const auto added = static_cast<std::uint32_t>(size());
    add(bits, from, bit);
    addReady(from, bit);
    m_hashes.push_back(hash);
    m_table[slot] = added + 1;
    if (size() * 2 > m_table.size())
        rehash(m_table.size() * 2);
    return added;
}

bool IdealLattice::isThere(std::uint32_t ideal, std::uint64_t hash, BitSpan bits) const
{
    return m_hashes[ideal] == hash && std::ranges::equal(bits, words(ideal));
}

// What may be added to the last ideal, which is `from` and the group of `bit`.
void IdealLattice::addReady(std::size_t from, std::size_t bit)
{
    const std::size_t begin = m_ready.size();
    m_ready.resize(begin + m_wordCount);
    const std::span ready(m_ready.data() + begin, m_wordCount);
    std::copy_n(m_ready.data() + from * m_wordCount, m_wordCount, ready.begin());
    clearBit(ready, bit);
    for (const std::uint32_t next : m_free[bit].next) {
        if (includes(words(size() - 1), m_free[next].needs))
            setBit(ready, next);
    }
}

void IdealLattice::add(BitSpan bits, std::size_t from, std::size_t bit)
{
    m_words.insert(m_words.end(), bits.begin(), bits.end());
    const BitSpan before = words(from);
    const BitSpan now = words(size());
    const FreeGroup& free = m_free[bit];
    double least = m_least[from];
    double most = m_most[from];
    Held held = m_reduced.limitsMemory ? m_bytes[from] : Held{};
    const auto take = [this](ReducedGroupId group, double& time, HeldBytes& bytes) {
        time += m_reduced.groups[group].seconds;
        bytes += m_reduced.groups[group].least;
    };
    take(free.group, least, held.least);
    take(free.group, most, held.most);
    for (const std::uint32_t f : free.demands) {
        if (!meets(before, m_floats[f].users))
            take(m_floats[f].group, least, held.least);
    }
    for (const std::uint32_t f : free.enables) {
        if (includes(now, m_floats[f].needs))
            take(m_floats[f].group, most, held.most);
    }
    double cut = m_cut[from];
    for (const std::uint32_t v : free.values) {
        const int change = (crosses(now, v) ? 1 : 0) - (crosses(before, v) ? 1 : 0);
        if (change != 0)
            cut += change * m_reduced.transfer(m_reduced.values[v].size, m_boundary);
    }
    m_least.push_back(least);
    m_most.push_back(most);
    m_cut.push_back(std::max(0.0, cut));
    addFloating();
    if (m_reduced.limitsMemory)
        m_bytes.push_back(held);
    m_groupCounts.push_back(m_groupCounts[from] + 1);
}

std::uint32_t IdealLattice::find(BitSpan bits) const
{
    std::uint64_t hash = 0;
    forEachBit(bits, [&](std::size_t bit) { hash ^= m_keys[bit]; });
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = hash & mask;
    while (m_table[slot] != 0 && !isThere(m_table[slot] - 1, hash, bits))
        slot = (slot + 1) & mask;
    assert(m_table[slot] != 0 && "every ideal between the two ends is there");
    return m_table[slot] - 1;
}

void IdealLattice::rehash(std::size_t slotCount)
{
    m_table.assign(slotCount, 0);
    for (std::size_t ideal = 0; ideal < size(); ++ideal) {
        std::size_t slot = m_hashes[ideal] & (slotCount - 1);
        while (m_table[slot] != 0)
            slot = (slot + 1) & (slotCount - 1);
        m_table[slot] = static_cast<std::uint32_t>(ideal + 1);
    }
}

double IdealLattice::timeWithin(std::size_t ideal, double sum) const
{
    double time = sum - cut(ideal) * speed(m_boundary);
    // Floating groups that are inside are not outside, and what they make crosses.
    for (std::size_t i = 0; i < FloatingCut::shareCount && !m_floating.empty(); ++i) {
        const double price = m_floatingCut.shares()[i] / speed(m_boundary + 1);
        const double fixed = m_cut[ideal] + m_floating[ideal].withOutside[i] - price * m_most[ideal];
        time = std::min(time, (sum - fixed * speed(m_boundary)) / (1 + price * speed(m_boundary)));
    }
    return time;
}

// No share is above 1: where less has been computed, this is never more.
double IdealLattice::beginTime(std::size_t ideal, double time) const
{
    double begin = time - cut(ideal) * speed(m_boundary + 1);
    for (std::size_t i = 0; i < FloatingCut::shareCount && !m_floating.empty(); ++i) {
        const double transfer = m_cut[ideal] + m_floating[ideal].withOutside[i];
        begin = std::min(begin, time - transfer * speed(m_boundary + 1) +
                                    m_floatingCut.shares()[i] * (m_most[ideal] - time));
    }
    return begin;
}

void IdealLattice::copyGroups(std::size_t ideal, MutableBitSpan surely, MutableBitSpan possibly) const
{
    std::ranges::fill(surely, 0u);
    std::ranges::fill(possibly, 0u);
    for (const ReducedGroupId group : m_reduced.groups.ids()) {
        if (contains(ideal, group))
            setBit(surely, group.index());
        if (mayContain(ideal, group))
            setBit(possibly, group.index());
    }
}

IdealLattice::Projector::Projector(const IdealLattice& lattice, const IdealLattice& later)
    : m_lattice(lattice), m_later(later), m_fixed(lattice.m_wordCount, 0), m_new(later.m_wordCount, 0)
{
    for (const ReducedGroupId group : lattice.m_places.ids()) {
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
        else if (there == Place::Floating)
            m_floats.emplace_back(group, lattice.m_bitOf[group]);
        else if (there == Place::Free)
            m_bits.emplace_back(later.m_bitOf[group], lattice.m_bitOf[group]);
    }
}

IdealLattice::Projection IdealLattice::Projector::project(std::size_t ideal) const
{
    BitWords bits = m_fixed;
    const BitSpan there = m_later.words(ideal);
    for (const auto& [from, to] : m_bits) {
        if (hasBit(there, from))
            setBit(bits, to);
    }
    for (const auto& [group, to] : m_floats) {
        if (m_later.mayContain(ideal, group))
            setBit(bits, to);
    }
    const bool whole = !m_outside && m_lattice.isExact() && m_later.isExact() && !meets(there, m_new);
    return {m_lattice.find(bits), whole};
}

} // namespace stagecraft
