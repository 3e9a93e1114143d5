// The lower hull of what a choice takes and brings, by maximum flows.
//
//     time ▲ o                 Of all choices that are allowed those that are best at some price of a byte.
//          │  ╲    ·           Between two neighbours there may be choices above the line that joins them,
//          │   o__    ·        never below it.
//          │      ‾‾──o
//          └───────────► bytes
//
// At a price the best choice is a closure problem: items with a weight of either sign, some of which need
// others; and that is a minimum cut (Picard, "Maximal closure of a graph", 1976). Prices are those at which
// two points that are known are equally good (Eisner and Severance, 1976), in whole numbers, so that every
// point is exact.
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace stagecraft {

using ChoiceItemId = Id<struct ChoiceItemTag>;

// Femtoseconds: times whose sums are exact.
std::int64_t ticksOf(Seconds time);
Seconds secondsOf(std::int64_t ticks);

// What is to be chosen. Each sum of numbers of one kind is below 2^62.
struct ChoiceProblem
{
    // What choosing it adds: bytes, and time in any unit.
    struct Item
    {
        std::int64_t bytes = 0;
        std::int64_t time = 0;

        friend bool operator==(const Item&, const Item&) = default;
    };
    Table<ChoiceItemId, Item> items;
    std::vector<std::pair<ChoiceItemId, ChoiceItemId>> needs; // who chooses the first chooses the second, too

    friend bool operator==(const ChoiceProblem&, const ChoiceProblem&) = default;
};

struct ChoicePoint
{
    std::int64_t bytes = 0; // sums over what is chosen
    std::int64_t time = 0;
    std::vector<ChoiceItemId> chosen; // ascending

    friend bool operator==(const ChoicePoint&, const ChoicePoint&) = default;
};

// From the fewest bytes that any choice takes to the least time: bytes rise, time falls, ever more slowly.
std::vector<ChoicePoint> choiceHull(const ChoiceProblem& problem);

} // namespace stagecraft
