#pragma once

#include <algorithm>
#include <vector>

namespace stagecraft {

// The upper one of an even number; of at least one.
inline double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace stagecraft
