// Where the same follows.
#pragma once

#include <cstddef>
#include <vector>

namespace stagecraft {

// Of each position the first at which the same `width` values stand in a row; `width` is a power of 2. Where
// fewer are left: itself.
std::vector<std::size_t> equalWindows(const std::vector<std::size_t>& values, std::size_t width);

} // namespace stagecraft
