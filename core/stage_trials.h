// StageTrials: what was tried for each stage of a partition, by what traces say of it.
#pragma once

#include "core/plan/stage_cost.h"
#include "core/recompute/plan.h"
#include "core/recomputed_problem.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stagecraft {

// A plan as it runs.
struct TracedPlan
{
    RecomputedProblem of;
    Partition partition;
    PlanCost cost;
};

// The regions of each stage, and of all.
std::vector<RecomputePlan> byStage(const RecomputePlan& plan, const Partition& partition);
RecomputePlan together(std::vector<RecomputePlan> stages);

class StageTrials
{
public:
    struct Trial
    {
        RecomputePlan regions;
        Bytes memory;
        Seconds load;
    };

    // `partition` must outlive it; stages may hold so much.
    StageTrials(const Partition& partition, std::vector<Bytes> rooms);

    const Partition& partition() const { return m_partition; }
    const std::vector<Bytes>& rooms() const { return m_rooms; }

    void add(const RecomputePlan& plan, const PlanCost& cost);
    bool wasTried(std::size_t stage, const RecomputePlan& regions) const;
    // Every stage?
    bool wereTried(const RecomputePlan& plan) const;
    // The fastest that fits; where none does, the one that holds the least.
    const Trial& best(std::size_t stage) const;
    RecomputePlan plan() const;
    // Of the stage that is the most over its room, as a share of that; 0: all fit.
    double over() const;
    bool isOver(std::size_t stage) const { return best(stage).memory > m_rooms[stage]; }
    bool allFit() const;
    // For some stage even more would have to run again, which takes longer by now.
    bool areSlowerThan(Seconds most) const;
    // Do these stages fit, the slowest no slower than the best of each?
    bool isAsFast(const PlanCost& cost) const;

    std::optional<TracedPlan> last;   // that was traced
    std::optional<TracedPlan> traced; // what by then was the best of each stage, the last so

private:
    const Partition& m_partition;
    std::vector<Bytes> m_rooms;
    std::vector<std::vector<Trial>> m_stages;
};

} // namespace stagecraft
