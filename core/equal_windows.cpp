#include "core/equal_windows.h"

#include <map>
#include <numeric>
#include <utility>

namespace stagecraft {

// Twice as wide each time: two that are the same behind each other.
std::vector<std::size_t> equalWindows(const std::vector<std::size_t>& values, std::size_t width)
{
    std::vector<std::size_t> first(values.size());
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
    for (std::size_t at = 0; at < values.size(); ++at)
        first[at] = known.try_emplace({values[at], 0}, at).first->second;
    for (std::size_t half = 1; half < width; half *= 2) {
        std::vector<std::size_t> next(values.size());
        std::iota(next.begin(), next.end(), 0);
        known.clear();
        for (std::size_t at = 0; at + 2 * half <= values.size(); ++at)
            next[at] = known.try_emplace({first[at], first[at + half]}, at).first->second;
        first = std::move(next);
    }
    return first;
}

} // namespace stagecraft
