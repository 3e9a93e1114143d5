#include "core/profile/profile.h"

#include <algorithm>

namespace stagecraft {

PhaseCost& PhaseCost::operator+=(const PhaseCost& other)
{
    flops += other.flops;
    bytesRead += other.bytesRead;
    bytesWritten += other.bytesWritten;
    time += other.time;
    return *this;
}

PhaseCost NodeCost::backward() const
{
    PhaseCost sum = backwardInput;
    sum += backwardWeight;
    return sum;
}

Seconds NodeCost::time() const
{
    return forward.time + backwardInput.time + backwardWeight.time;
}

// Peaks do not add up: of a group it is the largest of its members'. An inexact member makes the group so.
NodeCost& NodeCost::operator+=(const NodeCost& other)
{
    forward += other.forward;
    backwardInput += other.backwardInput;
    backwardWeight += other.backwardWeight;
    recomputed += other.recomputed;
    outputBytes += other.outputBytes;
    savedBytes += other.savedBytes;
    parameterBytes += other.parameterBytes;
    bufferBytes += other.bufferBytes;
    temporaryPeak = std::max(temporaryPeak, other.temporaryPeak);
    regionPeak = std::max(regionPeak, other.regionPeak);
    atPeak += other.atPeak;
    if (other.origin == CostOrigin::Inexact)
        origin = CostOrigin::Inexact;
    return *this;
}

double recomputedShare(const NodeCost& cost)
{
    return cost.forward.time > Seconds{} ? cost.recomputed.time / cost.forward.time : 0;
}

bool isExact(const Profile& profile)
{
    return std::ranges::none_of(profile.nodes,
                                [](const NodeCost& cost) { return cost.origin == CostOrigin::Inexact; });
}

} // namespace stagecraft
