// ComparedPlan: another plan of the model that a view shows, beside the plan itself. People know it as B, and
// the plan itself as A.
#pragma once

#include "core/plan/partition.h"
#include "core/profile/profile.h"

#include <QString>

#include <memory>
#include <optional>

namespace stagecraft {

struct ComparedPlan
{
    QString name; // "4 × A100 80GB · 8 microbatches · BF16 · ZB1P · 912 ms"
    std::shared_ptr<const Partition> partition;
    std::shared_ptr<const PlanCost> cost;
    std::shared_ptr<const Profile> profile; // of the same graph
    std::optional<Bound> bound;             // on its slowest device
    Seconds stepBound;                      // on its step; 0: not known
};

// What B has of a graph of so many nodes; null: nothing of such a graph, or there is no B (null).
inline const Profile* comparedProfile(const ComparedPlan* other, std::size_t nodeCount)
{
    const bool isOfGraph = other && other->profile && other->profile->nodes.size() == nodeCount;
    return isOfGraph ? other->profile.get() : nullptr;
}
inline const Partition* comparedPartition(const ComparedPlan* other, std::size_t nodeCount)
{
    const bool isOfGraph = other && other->partition && other->partition->stageOf.size() == nodeCount;
    return isOfGraph ? other->partition.get() : nullptr;
}

} // namespace stagecraft
