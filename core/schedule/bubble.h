// Where the idle time of a step comes from.
#pragma once

#include "core/schedule/simulate.h"

namespace stagecraft {

// Shares of all device time, 0 .. 1, that add up to the bubble. Each is what would go if its cause went, one
// after the other: first all transfers, then all differences between stages; what is left is the schedule's
// own. With F = B = 1 that is (K - 1) / (M + K - 1) of GPipe and 1F1B.
struct BubbleParts
{
    double communication = 0;
    double imbalance = 0;
    double schedule = 0; // filling and draining the pipeline

    double total() const { return communication + imbalance + schedule; }
};

// Fails as simulate does.
Result<BubbleParts> bubbleParts(const Schedule& schedule, const ScheduleCosts& costs);

} // namespace stagecraft
