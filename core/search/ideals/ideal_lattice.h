// The ideals that a boundary can be: sets of groups that hold all that their members need.
//
// Windows say for each boundary which groups are before it for sure and which behind it; between these two
// ideals lie all others. They form a lattice: adding one free group to an ideal leads to the next.
//
// Where there are too many, some groups are left *floating*: they are not told apart. Then each entry stands
// for all ideals with the same free groups; it knows what they have in common:
//
//     surely inside      what its free groups need              time at least, what crosses for sure
//     possibly inside    what needs none of the groups missing  time at most
//
// so that what is impossible for an entry is impossible for all that it stands for.
#pragma once

#include "core/base/bit_span.h"
#include "core/base/work_budget.h"
#include "core/search/ideals/floating_cut.h"
#include "core/search/reduce/reduction.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stagecraft {

class IdealLattice
{
public:
    enum class Place : std::uint8_t { Before, Free, Floating, Behind };
    using Places = Table<ReducedGroupId, Place>;

    // All ideals between the groups that are Before and those that are not Behind, found size by size. Stops,
    // and isComplete() is false, beyond `mostIdeals`.
    IdealLattice(const ReducedProblem& reduced, Places places, std::size_t boundary, std::size_t mostIdeals,
                 const ShouldStop& shouldStop);

    bool isComplete() const { return m_complete; }
    // Does each entry stand for one ideal?
    bool isExact() const { return m_floats.empty(); }
    std::size_t size() const { return m_least.size(); }
    // Compute time of the ideal's groups, and transfer time of what crosses the boundary behind it for sure.
    double leastTime(std::size_t ideal) const { return m_least[ideal]; }
    double mostTime(std::size_t ideal) const { return m_most[ideal]; }
    double cut(std::size_t ideal) const { return m_cut[ideal] + floating(ideal).transfer; }
    // The least of time and transfer together that a stage ends with; in time at speed 1.
    double endTime(std::size_t ideal) const
    {
        return m_least[ideal] + (m_cut[ideal] + floating(ideal).withInside) * speed(m_boundary);
    }
    // The most that can have been computed where that and the transfer come to no more than `sum`.
    double timeWithin(std::size_t ideal, double sum) const;
    // Time less what the transfer takes from the next stage, where so much has been computed.
    double beginTime(std::size_t ideal, double time) const;
    // Memory of the ideal's groups alone, where the problem limits it.
    struct Held
    {
        HeldBytes least;
        HeldBytes most;
    };
    const Held& held(std::size_t ideal) const { return m_bytes[ideal]; }
    // Likewise, with so many microbatches in flight.
    double leastBytes(std::size_t ideal, std::size_t inFlight) const
    {
        return held(ideal).least.of(inFlight).asDouble();
    }
    double mostBytes(std::size_t ideal, std::size_t inFlight) const
    {
        return held(ideal).most.of(inFlight).asDouble();
    }
    // For sure; possibly.
    bool contains(std::size_t ideal, ReducedGroupId group) const { return isInside(words(ideal), group); }
    bool mayContain(std::size_t ideal, ReducedGroupId group) const { return !isOutside(words(ideal), group); }
    bool isFloating(ReducedGroupId group) const { return m_places[group] == Place::Floating; }
    // Is it the set of none of the groups, for sure?
    bool isEmpty(std::size_t ideal) const
    {
        return isExact() && m_beforeCount == 0 && m_groupCounts[ideal] == 0;
    }

    // (from, to): `to` is `from` and one group more; by `from`, ascending.
    std::span<const std::pair<std::uint32_t, std::uint32_t>> steps() const { return m_steps; }

    // The ideal of this lattice that is the intersection of `ideal` of `later`, a lattice of a later
    // boundary, with all that can be before this one; and whether that leaves nothing out for sure.
    struct Projection
    {
        std::uint32_t ideal;
        bool isWhole;
    };
    class Projector
    {
    public:
        Projector(const IdealLattice& lattice, const IdealLattice& later);
        Projection project(std::size_t ideal) const;

    private:
        const IdealLattice& m_lattice;
        const IdealLattice& m_later;
        BitWords m_fixed; // free here, before the later boundary for sure
        std::vector<std::pair<std::uint32_t, std::uint32_t>> m_bits;    // free in both: (bit there, bit here)
        std::vector<std::pair<ReducedGroupId, std::uint32_t>> m_floats; // floating there: (group, bit here)
        bool m_outside = false; // something before the later boundary can only be behind this one
        BitWords m_new;         // bits there that are behind here
    };

    // The groups of an ideal as bits: those surely inside, those possibly inside.
    void copyGroups(std::size_t ideal, MutableBitSpan surely, MutableBitSpan possibly) const;

private:
    struct FreeGroup
    {
        ReducedGroupId group;
        BitWords needs;                     // free groups that must be there
        std::vector<std::uint32_t> next;    // free groups that need it
        std::vector<std::uint32_t> values;  // that may cross, or cease to, when it is added
        std::vector<std::uint32_t> enables; // floating groups that it may let in
        std::vector<std::uint32_t> demands; // floating groups that it may bring along
    };
    struct FloatingGroup
    {
        ReducedGroupId group;
        BitWords needs; // free groups without which it is outside
        BitWords users; // free groups with any of which it is inside
    };

    BitSpan words(std::size_t ideal) const { return {m_words.data() + ideal * m_wordCount, m_wordCount}; }
    double speed(std::size_t stage) const { return m_reduced.options.speeds[stage]; }
    FloatingCut::Least floating(std::size_t ideal) const
    {
        return m_floating.empty() ? FloatingCut::Least{} : m_floating[ideal];
    }
    bool isInside(BitSpan bits, ReducedGroupId group) const;
    bool isOutside(BitSpan bits, ReducedGroupId group) const;
    void addGroups();
    void linkFloats();
    void listValues();
    void makeFloatingCut();
    void addFloating();
    void addFirst();
    bool crosses(BitSpan bits, std::uint32_t value) const;
    void add(BitSpan bits, std::size_t from, std::size_t bit);
    void grow(std::size_t mostIdeals, const ShouldStop& shouldStop);
    std::uint32_t findOrAdd(BitSpan bits, std::size_t from, std::size_t bit);
    std::uint32_t find(BitSpan bits) const;
    void addReady(std::size_t from, std::size_t bit);
    bool isThere(std::uint32_t slot, std::uint64_t hash, BitSpan bits) const;
    void rehash(std::size_t slotCount);

    const ReducedProblem& m_reduced;
    std::size_t m_boundary;
    Places m_places;
    Table<ReducedGroupId, std::uint32_t> m_bitOf; // of free groups; index of floating ones
    std::vector<FreeGroup> m_free;
    std::vector<FloatingGroup> m_floats;
    std::size_t m_beforeCount = 0;
    std::size_t m_wordCount = 0;
    BitWords m_words;
    BitWords m_ready;                    // bits of the free groups that may be added; only while growing
    std::vector<std::uint64_t> m_hashes; // of the words
    std::vector<std::uint64_t> m_keys;   // of each bit: the hash is the XOR of those that are set
    std::vector<double> m_least;
    std::vector<double> m_most;
    std::vector<double> m_cut; // of what crosses for sure
    FloatingCut m_floatingCut;
    BitWords m_missing;                         // the free groups that the entry has not
    std::vector<FloatingCut::Side> m_sides;     // of the floating groups in the entry that is added
    std::vector<FloatingCut::Least> m_floating; // empty: nothing floats, or its transfers do not count
    std::vector<Held> m_bytes;                  // empty: memory has no limits
    std::vector<std::uint32_t> m_groupCounts;
    std::vector<std::uint32_t> m_table; // open addressing; 0: free, else ideal + 1
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_steps;
    bool m_complete = true;
};

} // namespace stagecraft
