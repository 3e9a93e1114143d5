#include "core/schedule/held_counts.h"

namespace stagecraft {

namespace {

// Forwards and backwards only grow: `counts` are later.
void keepLargest(std::vector<HeldCounts>& found, const HeldCounts& counts)
{
    while (!found.empty() && found.back().inFlight <= counts.inFlight)
        found.pop_back();
    const bool isReached = !found.empty() && found.back().forwards == counts.forwards &&
                           found.back().backwards == counts.backwards;
    if (!isReached)
        found.push_back(counts);
}

} // namespace

std::vector<std::vector<HeldCounts>> largestCounts(const Schedule& schedule)
{
    std::vector<std::vector<HeldCounts>> largest(schedule.stageCount);
    std::vector<HeldCounts> now(schedule.stageCount);
    for (const auto& row : schedule.devices) {
        for (const Action& action : row) {
            HeldCounts& counts = now[action.stage];
            if (action.kind == ActionKind::Forward) {
                ++counts.inFlight;
                ++counts.forwards;
            }
            keepLargest(largest[action.stage], counts);
            if (makesInputGradients(action.kind))
                ++counts.backwards;
            if (makesWeightGradients(action.kind))
                --counts.inFlight;
        }
    }
    return largest;
}

} // namespace stagecraft
