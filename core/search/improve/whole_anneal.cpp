#include "core/search/improve/whole_anneal.h"

#include "core/base/noise.h"
#include "core/plan/evaluate.h"
#include "core/schedule/step_clock.h"
#include "core/search/improve/whole_loads.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

class WholeAnnealer
{
public:
    WholeAnnealer(const PartitionProblem& problem, const ReducedProblem& reduced, const GroupStages& start,
                  double known, const WholeAnnealOptions& options)
        : m_problem(problem),
          m_reduced(reduced),
          m_options(options),
          m_noise(options.seed),
          m_clock(StepClock::make(scheduleOf(problem.options).value()).value()),
          m_loads(problem, reduced),
          m_known(known)
    {
        for (GroupIndex group = 0; group < reduced.size(); ++group)
            m_loads.place(group, start[group]);
        std::size_t actions = 0;
        for (const auto& row : m_clock.schedule().devices)
            actions += row.size();
        const bool runsSchedule = options.goal == WholeGoal::Step || reduced.limitsMemory;
        m_workOfMove = 60 + 6 * reduced.stageCount() + (runsSchedule ? 20 * actions : 0);
    }

    std::optional<GroupStages> run()
    {
        constexpr std::uint64_t levels = 20;
        constexpr std::uint64_t interval = 256;
        // Squares of shares for devices, shares for the step.
        double tolerated = m_options.heat * (m_options.goal == WholeGoal::Step ? 1e-2 : 2e-3);
        m_score = score();
        for (std::uint64_t step = 0; step < m_options.steps; ++step) {
            if (step % interval == interval - 1 && m_options.shouldStop &&
                m_options.shouldStop(std::exchange(m_work, 0)))
                break;
            if (step % (m_options.steps / levels + 1) == 0)
                tolerated /= 2;
            tryMove(tolerated);
        }
        return std::move(m_best);
    }

private:
    struct Score
    {
        double value = 0;   // of the goal
        double penalty = 0; // what is annealed
        bool fits = true;
    };

    Score score()
    {
        const ScheduleCosts& costs = m_loads.costs();
        const Schedule& schedule = m_clock.schedule();
        Score score;
        m_deviceLoads.assign(schedule.deviceCount(), 0);
        for (std::size_t stage = 0; stage < costs.stages.size(); ++stage)
            m_deviceLoads[schedule.deviceOfStage[stage]] +=
                loadOf(costs.stages[stage], m_problem.options.objective).value();
        for (const double load : m_deviceLoads) {
            const double over = std::max(0.0, load / m_options.aim - 1);
            score.value = std::max(score.value, load);
            score.penalty += over * over;
        }
        if (m_options.goal == WholeGoal::Step) {
            score.value = m_clock.makespan(costs).value();
            score.penalty = score.value / m_options.aim;
        }
        addExcess(costs, score);
        return score;
    }

    void addExcess(const ScheduleCosts& costs, Score& score) const
    {
        if (!m_reduced.limitsMemory)
            return;
        const Schedule& schedule = m_clock.schedule();
        const auto add = [&](Bytes need, Bytes limit) {
            if (need <= limit)
                return;
            score.fits = false;
            score.penalty += 0.01 + (need - limit).asDouble() / std::max(1.0, limit.asDouble());
        };
        std::vector<Bytes> ofDevice(schedule.deviceCount(), Bytes::max());
        for (std::size_t index = 0; index < costs.stages.size(); ++index) {
            const StageTimes& stage = costs.stages[index];
            const Bytes limit = m_problem.options.memoryLimits[index];
            add(stage.state + stage.saved * static_cast<std::int64_t>(m_reduced.inFlight[index]) +
                    stage.transient,
                limit);
            Bytes& shared = ofDevice[schedule.deviceOfStage[index]];
            shared = std::min(shared, limit);
        }
        for (std::size_t device = 0; m_problem.options.sharesDevices() && device < ofDevice.size(); ++device)
            add(m_clock.peakMemory(device, costs.stages), ofDevice[device]);
    }

    bool mayMove(const ReducedGroup& group, std::uint32_t stage) const
    {
        const auto& stages = m_loads.stages();
        return stage >= group.firstStage && stage <= group.lastStage &&
               std::ranges::all_of(group.before, [&](GroupIndex other) { return stages[other] <= stage; }) &&
               std::ranges::all_of(group.after, [&](GroupIndex other) { return stages[other] >= stage; });
    }

    void tryMove(double tolerated)
    {
        constexpr std::uint64_t workOfLook = 8;
        m_work += workOfLook;
        const std::uint64_t random = m_noise.next();
        const auto group = static_cast<GroupIndex>((random >> 8) % m_reduced.size());
        const std::uint32_t from = m_loads.stages()[group];
        const bool up = random % 2 == 0;
        if (up ? from + 1 == m_reduced.stageCount() : from == 0)
            return;
        const std::uint32_t to = up ? from + 1 : from - 1;
        const bool empties = m_loads.groupCount(from) == 1 && !m_reduced.allowsEmpty();
        if (empties || !mayMove(m_reduced.groups[group], to))
            return;
        m_work += m_workOfMove;
        m_loads.move(group, to);
        const Score after = score();
        if (after.penalty - m_score.penalty > tolerated * m_noise.unit()) {
            m_loads.move(group, from);
            return;
        }
        m_score = after;
        if (after.fits && after.value < m_known * (1 - 1e-9))
            keep();
    }

    // Rounding adds up over many moves, so it is reckoned anew.
    void keep()
    {
        const Partition plan = expand(m_reduced, m_loads.stages());
        const double value = wholeValue(m_options.goal, evaluate(m_problem, plan));
        if (value >= m_known)
            return;
        m_known = value;
        m_best = m_loads.stages();
    }

    const PartitionProblem& m_problem;
    const ReducedProblem& m_reduced;
    const WholeAnnealOptions& m_options;
    Noise m_noise;
    StepClock m_clock;
    WholeLoads m_loads;
    double m_known;
    std::optional<GroupStages> m_best;
    Score m_score;
    std::vector<double> m_deviceLoads;
    std::uint64_t m_workOfMove = 0;
    std::uint64_t m_work = 0; // since it was last told
};

} // namespace

std::optional<GroupStages> annealWhole(const PartitionProblem& problem, const ReducedProblem& reduced,
                                       const GroupStages& start, double known,
                                       const WholeAnnealOptions& options)
{
    if (reduced.stageCount() < 2 || reduced.size() < 2 || options.aim <= 0)
        return std::nullopt;
    return WholeAnnealer(problem, reduced, start, known, options).run();
}

} // namespace stagecraft
