#include "core/recompute_attempts.h"

#include "core/plan/evaluate.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

PartitionOptions under(PartitionOptions options, RecomputeKind kind)
{
    options.recompute = {.kind = kind, .regions = {}};
    return options;
}

} // namespace

double worth(const PlanCost& cost)
{
    return (cost.objective == Objective::Iteration ? cost.iteration : cost.bottleneckTime).value();
}

RecomputeAttempts::RecomputeAttempts(std::shared_ptr<const Model> model, PartitionOptions options,
                                     const Profiler& profiler, const Progress& progress)
    : m_model(std::move(model)), m_options(std::move(options)), m_profiler(profiler), m_progress(progress)
{
}

Seconds RecomputeAttempts::left() const
{
    return std::max(Seconds(0), m_options.timeLimit - m_clock.elapsed());
}

IsOver RecomputeAttempts::isOver(Seconds moment) const
{
    return overAt(std::max(m_options.timeLimit, m_clock.elapsed() + moment));
}

IsOver RecomputeAttempts::overAt(Seconds end) const
{
    return [this, end] { return m_clock.hasPassed(end) || m_progress.stopRequested(); };
}

IsOver RecomputeAttempts::overOfTraces() const
{
    return [this] { return left() <= m_trace || m_progress.stopRequested(); };
}

Result<RecomputedProblem> RecomputeAttempts::pose(RecomputeKind kind) const
{
    return recomputedProblem(m_model, under(m_options, kind), m_profiler, nullptr, m_progress);
}

Result<void> RecomputeAttempts::lay(const RecomputedProblem& none)
{
    const Seconds begin = m_clock.elapsed();
    STAGECRAFT_ASSIGN(full, pose(RecomputeKind::Full));
    m_trace = m_clock.elapsed() - begin;
    m_notes = full.notes;
    STAGECRAFT_ASSIGN(ground,
                      recomputeGround({*none.model, none.profile, none.problem},
                                      {*full.model, full.profile, full.problem}, m_progress.silent()));
    m_chooser.emplace(std::move(ground));
    m_told.emplace(m_chooser->caps());
    return {};
}

TracedChoice RecomputeAttempts::choice() const
{
    const bool isKnown = m_best && m_options.objective != Objective::Iteration;
    return {*m_chooser,
            m_model,
            under(m_options, RecomputeKind::Auto),
            m_profiler,
            overOfTraces(),
            m_progress,
            isKnown ? m_best->cost.bottleneckTime : Seconds(infinite)};
}

Result<std::optional<PlanCost>> RecomputeAttempts::tryOut(const Partition& partition, Trial trial,
                                                          Careful careful)
{
    if (!checkPartition(ground().none, partition).has_value())
        return std::optional<PlanCost>();
    const bool isNeeded = !m_best && (!m_nearest || trial == Trial::InAnyCase);
    if (!isNeeded && overOfTraces()())
        return std::optional<PlanCost>();
    m_tried.push_back(partition);
    const Seconds begin = m_clock.elapsed();
    const bool areAll = careful == Careful::All || m_options.objective == Objective::Iteration;
    using Policies = TracedChoice::Policies;
    constexpr double traces = 14, share = 0.3; // of all policies; of the time
    const bool isLeft = trial == Trial::AsChosen && m_trace * traces > m_options.timeLimit * share;
    const bool isAnyGood = trial == Trial::AsChosen || m_best;
    const Policies policies = isLeft ? Policies::Left : isAnyGood ? Policies::TriedIfNear : Policies::Tried;
    STAGECRAFT_ASSIGN(
        plan, choice().of(partition, rooms(), m_known, *m_told, areAll ? Careful::All : careful, policies));
    m_lastTook = m_clock.elapsed() - begin;
    std::optional cost = plan.cost;
    take(std::move(plan));
    return cost;
}

void RecomputeAttempts::take(TracedPlan plan)
{
    const auto value = [](const PlanCost& cost) { return std::pair(worth(cost), cost.iteration); };
    if (plan.cost.fits() && (!m_best || value(plan.cost) < value(m_best->cost))) {
        m_best = std::move(plan);
        ++m_bests;
    } else if (!plan.cost.fits() && (!m_nearest || plan.cost.peakMemory() < m_nearest->cost.peakMemory())) {
        m_nearest = std::move(plan);
    }
}

bool RecomputeAttempts::isWorthATrace(Seconds slowest) const
{
    return !m_best || m_best->cost.objective == Objective::Iteration ||
           slowest < m_best->cost.bottleneckTime * (1 - toGain);
}

} // namespace stagecraft
