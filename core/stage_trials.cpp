#include "core/stage_trials.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace stagecraft {

std::vector<RecomputePlan> byStage(const RecomputePlan& plan, const Partition& partition)
{
    std::vector<RecomputePlan> stages(partition.stageCount);
    for (const RecomputeRegion& region : plan.regions)
        stages[partition.stageOf[region.nodes.front()].index()].regions.push_back(region);
    return stages;
}

RecomputePlan together(std::vector<RecomputePlan> stages)
{
    RecomputePlan plan;
    for (RecomputePlan& stage : stages)
        std::ranges::move(stage.regions, std::back_inserter(plan.regions));
    return plan;
}

StageTrials::StageTrials(const Partition& partition, std::vector<Bytes> rooms)
    : m_partition(partition), m_rooms(std::move(rooms)), m_stages(partition.stageCount)
{
}

void StageTrials::add(const RecomputePlan& plan, const PlanCost& cost)
{
    std::vector<RecomputePlan> stages = byStage(plan, m_partition);
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const StageCost& of = cost.stages[StageId(stage)];
        if (!wasTried(stage, stages[stage]))
            m_stages[stage].push_back({std::move(stages[stage]), of.peakMemory, of.load});
    }
}

bool StageTrials::wasTried(std::size_t stage, const RecomputePlan& regions) const
{
    return std::ranges::find(m_stages[stage], regions, &Trial::regions) != m_stages[stage].end();
}

bool StageTrials::wereTried(const RecomputePlan& plan) const
{
    const std::vector<RecomputePlan> stages = byStage(plan, m_partition);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        if (!wasTried(stage, stages[stage]))
            return false;
    return true;
}

const StageTrials::Trial& StageTrials::best(std::size_t stage) const
{
    return *std::ranges::min_element(m_stages[stage], {}, [&](const Trial& trial) {
        const Bytes over = std::max(Bytes{}, trial.memory - m_rooms[stage]);
        return std::tuple(over, trial.load, trial.regions.regions.size());
    });
}

RecomputePlan StageTrials::plan() const
{
    std::vector<RecomputePlan> stages;
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
        stages.push_back(best(stage).regions);
    return together(std::move(stages));
}

double StageTrials::over() const
{
    double most = 0;
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
        if (const Bytes memory = best(stage).memory; memory > m_rooms[stage])
            most = std::max(most,
                            (memory - m_rooms[stage]).asDouble() / std::max(1.0, m_rooms[stage].asDouble()));
    return most;
}

bool StageTrials::allFit() const
{
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
        if (isOver(stage))
            return false;
    return true;
}

bool StageTrials::areSlowerThan(Seconds most) const
{
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
        if (!m_stages[stage].empty() && isOver(stage) && best(stage).load > most)
            return true;
    return false;
}

bool StageTrials::isAsFast(const PlanCost& cost) const
{
    Seconds slowest;
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
        slowest = std::max(slowest, best(stage).load);
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
        if (const StageCost& of = cost.stages[StageId(stage)];
            of.peakMemory > m_rooms[stage] || of.load > slowest)
            return false;
    return true;
}

} // namespace stagecraft
