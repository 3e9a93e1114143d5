// contains(range, item): what C++23 calls std::ranges::contains.
#pragma once

#include <algorithm>
#include <ranges>

namespace stagecraft {

template <class Range, class T>
bool contains(const Range& range, const T& item)
{
    return std::ranges::find(range, item) != std::ranges::end(range);
}

// Of items whose `projection` is `item`.
template <class Range, class T, class Projection>
bool contains(const Range& range, const T& item, Projection projection)
{
    return std::ranges::find(range, item, projection) != std::ranges::end(range);
}

} // namespace stagecraft
