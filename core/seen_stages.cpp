#include "core/seen_stages.h"

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

std::size_t apart(std::size_t a, std::size_t b)
{
    return a > b ? a - b : b - a;
}

} // namespace

void SeenStages::add(const StageSlice& slice, const Known& known)
{
    m_stages.resize(std::max(m_stages.size(), slice.stage + 1));
    std::vector<Seen>& seen = m_stages[slice.stage];
    std::erase_if(seen, [&](const Seen& before) { return before.slice == slice; });
    seen.push_back({slice, known});
}

SeenStages::Foreseen SeenStages::foresee(const StageSlice& slice) const
{
    Foreseen foreseen;
    if (slice.stage >= m_stages.size())
        return foreseen;
    std::size_t nearest = std::numeric_limits<std::size_t>::max();
    for (const auto& [seen, known] : m_stages[slice.stage]) {
        if (seen == slice)
            foreseen.load = known.load;
        if (seen.begin >= slice.begin && seen.end <= slice.end)
            foreseen.least = std::max(foreseen.least, known.load);
        const std::size_t distance = apart(seen.begin, slice.begin) + apart(seen.end, slice.end);
        if (distance <= nearest) { // of several the last
            nearest = distance;
            foreseen.more = known.more;
        }
    }
    return foreseen;
}

} // namespace stagecraft
