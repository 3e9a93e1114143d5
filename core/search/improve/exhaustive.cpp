#include "core/search/improve/exhaustive.h"

#include "core/plan/evaluate.h"
#include "core/schedule/makespan_clock.h"
#include "core/search/reduce/loads.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Two plans that differ by less are equally good: sums are taken in another order than evaluate's.
constexpr double rounding = 1e-9;

class Exhaustive
{
public:
    Exhaustive(const PartitionProblem& problem, const ReducedProblem& reduced, PlanGoal goal, double known,
               const ShouldStop& shouldStop)
        : m_problem(problem),
          m_reduced(reduced),
          m_goal(goal),
          m_shouldStop(shouldStop),
          m_clock(MakespanClock::make(scheduleOf(problem.options).value()).value()),
          m_loads(reduced),
          m_timeBehind(reduced.size() + 1, 0)
    {
        m_answer.value = known;
        m_fastest = std::ranges::max(reduced.options.speeds);
        for (std::size_t group = reduced.size(); group-- > 0;)
            m_timeBehind[group] = m_timeBehind[group + 1] + reduced.groups[ReducedGroupId(group)].seconds;
        const std::size_t actions = reduced.stageCount() * problem.options.microbatches * 3;
        const bool runsSchedule = goal != PlanGoal::SlowestDevice || reduced.limitsMemory;
        m_workOfBranch = 200 + 20 * reduced.stageCount() + (runsSchedule ? 10 * actions : 0);
    }

    ExhaustiveAnswer run()
    {
        branch(0);
        m_answer.isComplete = !m_stopped;
        return std::move(m_answer);
    }

private:
    // With those before `placed` in their stages.
    void branch(std::size_t placed)
    {
        if (placed == m_reduced.size()) {
            keep();
            return;
        }
        const ReducedGroupId index(placed);
        const ReducedGroup& group = m_reduced.groups[index];
        std::size_t first = group.firstStage;
        for (const ReducedGroupId before : group.before)
            first = std::max<std::size_t>(first, m_loads.stages()[before]);
        for (std::size_t stage = first; stage <= group.lastStage && !m_stopped; ++stage) {
            m_stopped = m_shouldStop && m_shouldStop(m_workOfBranch);
            m_loads.place(index, static_cast<std::uint32_t>(stage));
            if (canFillStages(placed + 1) && mayBeBetter(placed + 1))
                branch(placed + 1);
            m_loads.remove(index);
        }
    }

    // Are there as many groups left as empty stages that must not be?
    bool canFillStages(std::size_t placed) const
    {
        if (m_reduced.allowsEmpty())
            return true;
        std::size_t empty = 0;
        for (std::size_t stage = 0; stage < m_reduced.stageCount(); ++stage)
            empty += m_loads.groupCount(stage) == 0 ? 1 : 0;
        return empty <= m_reduced.size() - placed;
    }

    bool mayBeBetter(std::size_t placed)
    {
        const ScheduleCosts& costs = m_loads.costs();
        const double enough = m_answer.value * (1 - rounding);
        if (m_goal == PlanGoal::FullestDevice)
            return leastMemory(costs).asDouble() < m_answer.value;
        const double slowest = leastLoad(costs, m_timeBehind[placed] / m_fastest);
        const auto microbatches = static_cast<double>(m_problem.options.microbatches);
        if (slowest * (m_goal == PlanGoal::Step ? microbatches : 1) >= enough)
            return false;
        if (m_reduced.limitsMemory && !fits(costs))
            return false;
        return m_goal != PlanGoal::Step || m_clock.makespan(costs).value() < enough;
    }

    // Of the slowest device, where so much time is still to be placed.
    double leastLoad(const ScheduleCosts& costs, double behind)
    {
        const Schedule& schedule = m_clock.schedule();
        const Objective objective = m_problem.options.objective;
        // Transfers may hide what is still to be placed, but not what is computed.
        const Objective summed = objective == Objective::Overlap ? Objective::Compute : objective;
        m_deviceLoads.assign(schedule.deviceCount(), 0);
        double all = behind;
        for (std::size_t stage = 0; stage < costs.stages.size(); ++stage) {
            m_deviceLoads[schedule.deviceOfStage[stage]] += stageLoad(objective, costs.stages[stage]).value();
            all += stageLoad(summed, costs.stages[stage]).value();
        }
        return std::max(std::ranges::max(m_deviceLoads), all / static_cast<double>(m_deviceLoads.size()));
    }

    bool fits(const ScheduleCosts& costs) const
    {
        const Schedule& schedule = m_clock.schedule();
        const auto& limits = m_problem.options.memoryLimits;
        std::vector<Bytes> ofDevice(schedule.deviceCount(), Bytes::max());
        for (std::size_t stage = 0; stage < limits.size(); ++stage) {
            if (m_loads.memory(stage) > limits[stage])
                return false;
            Bytes& limit = ofDevice[schedule.deviceOfStage[stage]];
            limit = std::min(limit, limits[stage]);
        }
        for (std::size_t device = 0; device < ofDevice.size(); ++device) {
            if (m_problem.options.sharesDevices() &&
                m_clock.peakMemory(device, costs.stages) > ofDevice[device])
                return false;
        }
        return true;
    }

    Bytes leastMemory(const ScheduleCosts& costs) const
    {
        Bytes most;
        for (std::size_t stage = 0; stage < costs.stages.size(); ++stage)
            most = std::max(most, m_loads.memory(stage));
        if (!m_problem.options.sharesDevices())
            return most;
        for (std::size_t device = 0; device < m_clock.schedule().deviceCount(); ++device)
            most = std::max(most, m_clock.peakMemory(device, costs.stages));
        return most;
    }

    void keep()
    {
        const Partition plan = expand(m_reduced, m_loads.stages());
        if (!checkPartition(m_problem, plan).has_value())
            return;
        const double value = wholeValue(m_goal, evaluate(m_problem, plan));
        if (value >= m_answer.value)
            return;
        m_answer.value = value;
        m_answer.stages = m_loads.stages();
    }

    const PartitionProblem& m_problem;
    const ReducedProblem& m_reduced;
    const PlanGoal m_goal;
    const ShouldStop& m_shouldStop;
    MakespanClock m_clock;
    Loads m_loads;
    std::vector<double> m_timeBehind; // of the groups from each on
    std::vector<double> m_deviceLoads;
    double m_fastest = 1;
    std::uint64_t m_workOfBranch = 0;
    bool m_stopped = false;
    ExhaustiveAnswer m_answer;
};

} // namespace

ExhaustiveAnswer searchAllPlans(const PartitionProblem& problem, const ReducedProblem& reduced, PlanGoal goal,
                                double known, const ShouldStop& shouldStop)
{
    return Exhaustive(problem, reduced, goal, known, shouldStop).run();
}

double wholeValue(PlanGoal goal, const PlanCost& cost)
{
    if (goal == PlanGoal::FullestDevice) {
        Bytes most = cost.peakMemory();
        for (const StageCost& stage : cost.stages)
            most = std::max(most, stage.peakMemory);
        return most.asDouble();
    }
    if (!cost.fits())
        return infinite;
    return (goal == PlanGoal::Step ? cost.iteration : cost.bottleneckTime).value();
}

} // namespace stagecraft
