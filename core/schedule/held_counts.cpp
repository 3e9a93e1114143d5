#include "core/schedule/held_counts.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Does a stage hold as much at `most` as at `counts`, but for what was sent? A whole backward pass takes no
// less than a forward pass does.
bool holdsAsMuch(const HeldCounts& most, const HeldCounts& counts)
{
    const bool takesAsMuch =
        most.kind == counts.kind || (most.kind == ActionKind::Backward && counts.kind == ActionKind::Forward);
    return takesAsMuch && most.inFlight >= counts.inFlight && most.waiting >= counts.waiting &&
           most.inFlight - most.released() >= counts.inFlight - counts.released();
}

// Forwards and backwards only grow: `counts` are later.
void keepLargest(std::vector<HeldCounts>& found, const HeldCounts& counts)
{
    std::erase_if(found, [&](const HeldCounts& earlier) { return holdsAsMuch(counts, earlier); });
    const bool isReached = std::ranges::any_of(found, [&](const HeldCounts& earlier) {
        return holdsAsMuch(earlier, counts) && earlier.forwards == counts.forwards &&
               earlier.backwards == counts.backwards;
    });
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
            if (action.kind == ActionKind::BackwardInput)
                ++counts.waiting;
            counts.kind = action.kind;
            keepLargest(largest[action.stage], counts);
            if (makesInputGradients(action.kind))
                ++counts.backwards;
            if (makesWeightGradients(action.kind))
                --counts.inFlight;
            if (action.kind == ActionKind::BackwardWeight)
                --counts.waiting;
        }
    }
    for (std::vector<HeldCounts>& counts : largest)
        std::ranges::stable_sort(counts, std::ranges::greater(), &HeldCounts::inFlight);
    return largest;
}

} // namespace stagecraft
