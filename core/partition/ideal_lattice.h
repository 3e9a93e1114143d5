// The ideals that a boundary can be: sets of groups that hold all that their members need.
//
// Windows say for each boundary which groups are before it for sure and which behind it; between these two
// ideals lie all others. They form a lattice: adding one free group to an ideal leads to the next.
#pragma once

#include "core/partition/reduction.h"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace stagecraft {

class IdealLattice
{
public:
    enum class Place : std::uint8_t { Before, Free, Behind };

    // All ideals between the groups that are Before and those that are not Behind, found size by size. Stops,
    // and isComplete() is false, beyond `mostIdeals`.
    IdealLattice(const ReducedProblem& reduced, std::vector<Place> places, std::size_t boundary,
                 std::size_t mostIdeals, const std::function<bool()>& shouldStop);

    bool isComplete() const { return m_complete; }
    std::size_t size() const { return m_time.size(); }
    // Compute time of the ideal's groups, and transfer time of what crosses the boundary behind it.
    double time(std::size_t ideal) const { return m_time[ideal]; }
    double cut(std::size_t ideal) const { return m_cut[ideal]; }
    bool contains(std::size_t ideal, GroupIndex group) const;
    // Is it the set of all groups, or of none?
    bool isEmpty(std::size_t ideal) const { return m_beforeCount == 0 && m_groupCounts[ideal] == 0; }

    // (from, to): `to` is `from` and one group more; by `from`, ascending.
    std::span<const std::pair<std::uint32_t, std::uint32_t>> steps() const { return m_steps; }

    // The ideal of this lattice that is the intersection of `ideal` of `later`, a lattice of a later
    // boundary, with all that can be before this one; and whether that leaves anything out.
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
        std::vector<std::uint64_t> m_fixed; // free here, before the later boundary for sure
        std::vector<std::pair<std::uint32_t, std::uint32_t>> m_bits; // free in both: (bit there, bit here)
        bool m_outside = false;           // something before the later boundary can only be behind this one
        std::vector<std::uint64_t> m_new; // bits there that are behind here
    };

    // The groups of an ideal as bits.
    void copyGroups(std::size_t ideal, std::span<std::uint64_t> bits) const;

private:
    struct FreeGroup
    {
        GroupIndex group;
        std::vector<std::uint64_t> needs; // free groups that must be there
    };

    const std::uint64_t* words(std::size_t ideal) const { return m_words.data() + ideal * m_wordCount; }
    void addFreeGroups();
    double firstCut() const;
    double cutChange(std::size_t ideal, GroupIndex group) const;
    void grow(std::size_t mostIdeals, const std::function<bool()>& shouldStop);
    std::uint32_t findOrAdd(std::span<const std::uint64_t> bits, std::size_t from, std::size_t bit);
    std::uint32_t find(std::span<const std::uint64_t> bits) const;
    void rehash(std::size_t slotCount);

    const ReducedProblem& m_reduced;
    std::size_t m_boundary;
    std::vector<Place> m_places;
    std::vector<std::uint32_t> m_bitOf; // of free groups
    std::vector<FreeGroup> m_free;
    std::size_t m_beforeCount = 0;
    std::size_t m_wordCount = 0;
    std::vector<std::uint64_t> m_words;
    std::vector<double> m_time;
    std::vector<double> m_cut;
    std::vector<std::uint32_t> m_groupCounts;
    std::vector<std::uint32_t> m_table; // open addressing; 0: free, else ideal + 1
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_steps;
    bool m_complete = true;
};

} // namespace stagecraft
