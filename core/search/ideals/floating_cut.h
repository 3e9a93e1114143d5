// What must cross a boundary however the floating groups are placed (ideal_lattice.h).
//
// A group that may be on either side costs on both: before the boundary what it makes crosses, behind it what
// it reads. The cheapest way to place all of them is a minimum cut; a flow through values and groups, found
// greedily, is never more than that:
//
//     inside ──what it reads──► floating ──what it makes──► outside
//
// Time takes part as well. As the end of a stage a floating group costs its time if it is inside; as the
// begin of the next, if it is not.
#pragma once

#include "core/base/bit_span.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stagecraft {

class FloatingCut
{
public:
    enum class Side : std::uint8_t { Inside, Outside, Open };

    // A value that floating groups have a part in.
    struct Item
    {
        double price = 0;
        bool inside = false;               // some part of it is inside in all entries
        bool outside = false;              // likewise
        BitWords bits;                     // the parts whose side the bits tell
        std::vector<std::uint32_t> floats; // those that float, as indices
    };

    // Nothing floats.
    FloatingCut() = default;
    // `times` of the floating groups; speeds of the stage that those inside are in, and of the stage behind,
    // if what is outside is of interest.
    FloatingCut(std::vector<Item> items, std::vector<double> times, double speed,
                std::optional<double> speedBehind = {});

    // Shares of a group's time, at most all of it, that are about what it costs to send what it makes.
    static constexpr std::size_t shareCount = 6;
    const std::array<double, shareCount>& shares() const { return m_shares; }

    // Beyond what is sent for sure, with these bits of what is inside and outside and these sides of the
    // floating groups: the least transfer time, alone, with the time of the open groups inside, and with
    // shares of the time of those outside.
    struct Least
    {
        double transfer = 0;
        double withInside = 0;
        std::array<double, shareCount> withOutside{};
    };
    Least least(BitSpan inside, BitSpan outside, std::span<const Side> sides);
    // Steps that it took since this was asked for.
    std::size_t takeSteps() { return std::exchange(m_steps, 0); }

private:
    struct Ends
    {
        bool inside = false;
        bool outside = false;
    };

    void chooseShares();
    void attach(BitSpan inside, BitSpan outside, std::span<const Side> sides);
    double push(std::uint32_t item, double amount, std::span<const Side> sides);
    double pushFrom(std::uint32_t group, double amount, std::span<const Side> sides);
    double addInside(std::span<const Side> sides) const;
    double addOutside(double share, std::span<const Side> sides);

    std::vector<Item> m_items;
    std::vector<double> m_times;
    double m_speed = 1;
    std::optional<double> m_speedBehind;
    std::array<double, shareCount> m_shares{};
    std::vector<std::vector<std::uint32_t>> m_itemsOf; // each floating group
    std::vector<Ends> m_ends;                          // of each item in the entry
    std::vector<double> m_left;                        // of its price
    std::vector<double> m_kept;                        // likewise
    std::vector<std::uint32_t> m_seen;                 // the search that saw it last
    std::vector<std::uint32_t> m_spent;                // floating groups: the search that found no more there
    std::uint32_t m_search = 0;
    std::size_t m_steps = 0;
};

} // namespace stagecraft
