#include "core/search/improve/anneal.h"

#include "core/base/noise.h"
#include "core/plan/evaluate.h"
#include "core/schedule/makespan_clock.h"
#include "core/search/reduce/loads.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Nothing is better by less than rounding.
constexpr double better = 1 - 1e-9;

// Memory above a limit, as a share of it and a little more.
double penaltyOfExcess(double excessBytes, Bytes limit)
{
    return excessBytes > 0 ? 0.01 + excessBytes / std::max(1.0, limit.asDouble()) : 0;
}

// How much a load exceeds the aim, squared, as a share of it.
double penaltyOfLoad(double seconds, double aimSeconds)
{
    const double over = std::max(0.0, seconds / aimSeconds - 1);
    return over * over;
}

// The slowest stage: each has a penalty of its own.
class SlowestStage
{
public:
    SlowestStage(const ReducedProblem& reduced, const Slicing& plan, const AnnealOptions& options,
                 Loads& loads)
        : m_reduced(reduced),
          m_aim(options.aimSeconds),
          m_loads(loads),
          m_best(plan),
          m_penalties(reduced.stageCount(), 0)
    {
        (void)change();
        m_penalties.swap(m_changed);
    }

    static constexpr double tolerated = 2e-3;
    static constexpr std::uint64_t interval = 4096; // of steps, at which it is asked whether to stop
    static constexpr std::uint64_t workOfLook = 100;
    std::uint64_t workOfMove() const { return 0; }

    // Of the penalty, since it was last accepted.
    double change()
    {
        double sum = 0;
        m_changed.clear();
        for (std::size_t stage = 0; stage < m_penalties.size(); ++stage) {
            m_changed.push_back(
                penaltyOfLoad(m_loads.load(stage), m_aim) +
                penaltyOfExcess(m_loads.excess(stage), m_reduced.options.memoryLimits[stage]));
            sum += m_changed.back() - m_penalties[stage];
        }
        return sum;
    }

    void accept()
    {
        m_penalties.swap(m_changed);
        for (std::size_t stage = 0; stage < m_penalties.size(); ++stage) {
            if (m_loads.load(stage) >= m_best.bottleneckSeconds * better || m_loads.excess(stage) > 0)
                return;
        }
        const double exact = bottleneckOf(m_reduced, m_loads.stages());
        if (exact < m_best.bottleneckSeconds)
            m_best = {exact, m_loads.stages()};
    }

    Slicing takeBest()
    {
        m_best.bottleneckSeconds = bottleneckOf(m_reduced, m_best.stages);
        return std::move(m_best);
    }

private:
    const ReducedProblem& m_reduced;
    double m_aim;
    Loads& m_loads;
    Slicing m_best;
    std::vector<double> m_penalties; // stage by stage
    std::vector<double> m_changed;
};

// The slowest device, or the step: the simulator has its say.
class WholePlan
{
public:
    WholePlan(const PartitionProblem& problem, const ReducedProblem& reduced, double known, PlanGoal goal,
              const AnnealOptions& options, Loads& loads)
        : tolerated(goal == PlanGoal::Step ? 1e-2 : 2e-3), // a share; the square of one
          m_problem(problem),
          m_reduced(reduced),
          m_goal(goal),
          m_aim(options.aimSeconds),
          m_loads(loads),
          m_clock(MakespanClock::make(scheduleOf(problem.options).value()).value()),
          m_known(known)
    {
        std::size_t actions = 0;
        for (const auto& row : m_clock.schedule().devices)
            actions += row.size();
        const bool runsSchedule = goal == PlanGoal::Step || reduced.limitsMemory;
        m_workOfMove = 60 + 6 * reduced.stageCount() + (runsSchedule ? 20 * actions : 0);
        m_score = score();
    }

    const double tolerated;
    static constexpr std::uint64_t interval = 256;
    static constexpr std::uint64_t workOfLook = 8;
    std::uint64_t workOfMove() const { return m_workOfMove; }

    double change()
    {
        m_changed = score();
        return m_changed.penalty - m_score.penalty;
    }

    // Rounding adds up over many moves, so what seems to be the best is computed anew.
    void accept()
    {
        m_score = m_changed;
        if (!m_score.fits || m_score.value >= m_known * better)
            return;
        const double value = wholeValue(m_goal, evaluate(m_problem, expand(m_reduced, m_loads.stages())));
        if (value >= m_known)
            return;
        m_known = value;
        m_best = m_loads.stages();
    }

    std::optional<GroupStages> takeBest() { return std::move(m_best); }

private:
    struct Score
    {
        double value = 0; // of the goal
        double penalty = 0;
        bool fits = true;
    };

    Score score()
    {
        const Schedule& schedule = m_clock.schedule();
        Score score;
        m_deviceLoads.assign(schedule.deviceCount(), 0);
        for (std::size_t stage = 0; stage < m_reduced.stageCount(); ++stage)
            m_deviceLoads[schedule.deviceOfStage[stage]] += m_loads.load(stage);
        for (const double load : m_deviceLoads) {
            score.value = std::max(score.value, load);
            score.penalty += penaltyOfLoad(load, m_aim);
        }
        if (m_goal != PlanGoal::Step && !m_reduced.limitsMemory)
            return score;
        const ScheduleCosts& costs = m_loads.costs();
        if (m_goal == PlanGoal::Step) {
            score.value = m_clock.makespan(costs).value();
            score.penalty = score.value / m_aim;
        }
        if (m_reduced.limitsMemory)
            addExcess(costs, score);
        return score;
    }

    void addExcess(const ScheduleCosts& costs, Score& score)
    {
        const Schedule& schedule = m_clock.schedule();
        const auto add = [&](double excessBytes, Bytes limit) {
            score.fits &= excessBytes <= 0;
            score.penalty += penaltyOfExcess(excessBytes, limit);
        };
        std::vector<Bytes> ofDevice(schedule.deviceCount(), Bytes::max());
        for (std::size_t stage = 0; stage < m_reduced.stageCount(); ++stage) {
            const Bytes limit = m_reduced.options.memoryLimits[stage];
            add(m_loads.excess(stage), limit);
            Bytes& shared = ofDevice[schedule.deviceOfStage[stage]];
            shared = std::min(shared, limit);
        }
        for (std::size_t device = 0; m_problem.options.sharesDevices() && device < ofDevice.size(); ++device)
            add((m_clock.peakMemory(device, costs.stages) - ofDevice[device]).asDouble(), ofDevice[device]);
    }

    const PartitionProblem& m_problem;
    const ReducedProblem& m_reduced;
    PlanGoal m_goal;
    double m_aim;
    Loads& m_loads;
    MakespanClock m_clock;
    double m_known;
    std::optional<GroupStages> m_best;
    Score m_score;
    Score m_changed;
    std::vector<double> m_deviceLoads;
    std::uint64_t m_workOfMove = 0;
};

template <class Goal>
class Annealer
{
public:
    Annealer(const ReducedProblem& reduced, const AnnealOptions& options, Loads& loads, Goal& goal)
        : m_reduced(reduced), m_options(options), m_noise(options.seed), m_loads(loads), m_goal(goal)
    {
    }

    void run()
    {
        // From shifting whole percents of a stage to next to nothing, by halves.
        constexpr std::uint64_t levels = 20;
        double tolerated = m_options.temperature * m_goal.tolerated;
        for (std::uint64_t step = 0; step < m_options.steps; ++step) {
            m_work += Goal::workOfLook;
            if (step % Goal::interval == Goal::interval - 1 && m_options.shouldStop &&
                m_options.shouldStop(std::exchange(m_work, 0)))
                return;
            if (step % (m_options.steps / levels + 1) == 0)
                tolerated /= 2;
            tryMove(tolerated);
        }
    }

private:
    void tryMove(double tolerated)
    {
        const std::uint64_t random = m_noise.next();
        const ReducedGroupId group((random >> 8) % m_reduced.size());
        const std::uint32_t from = m_loads.stages()[group];
        const bool up = random % 2 == 0;
        if (up ? from + 1 == m_reduced.stageCount() : from == 0)
            return;
        const std::uint32_t to = up ? from + 1 : from - 1;
        const bool empties = m_loads.groupCount(from) == 1 && !m_reduced.allowsEmpty();
        if (empties || !m_loads.mayMove(group, to))
            return;
        m_work += m_goal.workOfMove();
        m_loads.move(group, to);
        if (m_goal.change() > tolerated * m_noise.unit())
            m_loads.move(group, from);
        else
            m_goal.accept();
    }

    const ReducedProblem& m_reduced;
    const AnnealOptions& m_options;
    Noise m_noise;
    Loads& m_loads;
    Goal& m_goal;
    std::uint64_t m_work = 0; // since it was last told
};

bool mayAnneal(const ReducedProblem& reduced, const AnnealOptions& options)
{
    return reduced.stageCount() > 1 && reduced.size() > 1 && options.aimSeconds > 0;
}

} // namespace

Slicing anneal(const ReducedProblem& reduced, const Slicing& plan, const AnnealOptions& options)
{
    if (!mayAnneal(reduced, options))
        return plan;
    Loads loads(reduced, plan.stages);
    SlowestStage goal(reduced, plan, options, loads);
    Annealer(reduced, options, loads, goal).run();
    return goal.takeBest();
}

std::optional<GroupStages> annealWhole(const PartitionProblem& problem, const ReducedProblem& reduced,
                                       const GroupStages& start, double known, PlanGoal goal,
                                       const AnnealOptions& options)
{
    if (!mayAnneal(reduced, options))
        return std::nullopt;
    Loads loads(reduced, start);
    WholePlan plan(problem, reduced, known, goal, options, loads);
    Annealer(reduced, options, loads, plan).run();
    return plan.takeBest();
}

} // namespace stagecraft
