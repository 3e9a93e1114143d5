#include "core/cut_climbs.h"

#include "core/base/contains.h"
#include "core/recompute_climb.h"

#include <algorithm>
#include <random>
#include <utility>

namespace stagecraft {

namespace {

constexpr int mostCorrected = 3; // times, from the same cuts
constexpr int mostInVain = 30;   // from elsewhere, behind each other
constexpr double doubtOfEstimates = 0.02;
constexpr double farOver = 0.1; // a stage's room

} // namespace

bool CutClimbs::mayGoOn() const
{
    return !m_bound.isClosed() &&
           !m_attempts.overAt(m_options.timeLimit * (m_attempts.best() ? m_bound.shareBeside() : 1))();
}

bool CutClimbs::isWorthATrace(Seconds slowest) const
{
    return m_attempts.isWorthATrace(slowest * (m_attempts.isCheap(cheapNear) ? 1 - doubtOfEstimates : 1));
}

bool CutClimbs::mayBeBetter(const Partition& partition)
{
    if (!m_attempts.best())
        return true;
    const auto loads = m_attempts.choice().estimate(partition, m_attempts.rooms(), m_attempts.known());
    return loads && isWorthATrace(std::ranges::max(*loads));
}

bool CutClimbs::isFarOver(const PlanCost& cost) const
{
    const std::vector<Bytes> rooms = m_attempts.rooms();
    return std::ranges::any_of(cost.stages.ids(), [&](StageId stage) {
        return rooms[stage.index()] != Bytes::max() &&
               cost.stages[stage].peakMemory.asDouble() > rooms[stage.index()].asDouble() * (1 + farOver);
    });
}

Partition CutClimbs::climbedByEstimate(const Partition& partition, const std::vector<Bytes>& within)
{
    const TracedChoice traced = m_attempts.choice();
    return climbed(
        m_attempts.ground().none, partition,
        [&](const Partition& moved, Seconds most) {
            return traced.estimate(moved, within, m_attempts.known(), most);
        },
        m_attempts.best() ? m_attempts.overAt(m_options.timeLimit * m_bound.shareBeside())
                          : m_attempts.isOver());
}

Result<void> CutClimbs::from(Partition partition)
{
    return from(std::move(partition), m_attempts.rooms());
}

Result<void> CutClimbs::from(Partition partition, std::vector<Bytes> within)
{
    for (int i = 0; i < mostCorrected && !m_attempts.overOfTraces()() && !m_bound.isClosed(); ++i) {
        Partition near = climbedByEstimate(partition, within);
        const auto loads = m_attempts.choice().estimate(near, within, m_attempts.known());
        if (contains(m_attempts.tried(), near) || !loads || !isWorthATrace(std::ranges::max(*loads)) ||
            (m_attempts.best() && !m_attempts.isTimeForOne(m_options.timeLimit * SearchedBound::mostShare)))
            return {};
        STAGECRAFT_ASSIGN(cost, m_tryOut(near));
        if (!cost || TracedChoice::fits(*cost, m_attempts.rooms()))
            return {};
        within = corrected(std::move(within), *cost);
        partition = std::move(near);
    }
    return {};
}

std::vector<Bytes> CutClimbs::corrected(std::vector<Bytes> within, const PlanCost& cost) const
{
    const std::vector<Bytes> limits = m_attempts.rooms();
    for (const StageId stage : cost.stages.ids())
        if (const Bytes holds = cost.stages[stage].peakMemory; holds > limits[stage.index()])
            within[stage.index()] -= holds - limits[stage.index()];
    return within;
}

Result<void> CutClimbs::tryAndGoFrom(const Partition& partition)
{
    std::vector<Bytes> within = m_attempts.rooms();
    if (mayBeBetter(partition) || m_attempts.isCheap(cheapNear)) {
        STAGECRAFT_ASSIGN(cost, m_tryOut(partition));
        if (cost && m_attempts.best() && isFarOver(*cost))
            return {};
        if (cost)
            within = corrected(std::move(within), *cost);
    }
    return from(partition, std::move(within));
}

Result<void> CutClimbs::fromAll(std::vector<EstimatedCuts> starts)
{
    for (const Partition& partition : m_attempts.tried())
        if (!contains(starts, partition, &EstimatedCuts::partition))
            if (const auto loads =
                    m_attempts.choice().estimate(partition, m_attempts.rooms(), m_attempts.known()))
                starts.push_back(estimatedCuts(partition, loads));
    std::ranges::stable_sort(starts, {}, &EstimatedCuts::slowness);
    for (EstimatedCuts& start : starts)
        if (mayGoOn())
            STAGECRAFT_TRY(from(std::move(start.partition)));
    return {};
}

Result<void> CutClimbs::fromElsewhere()
{
    std::minstd_rand draw(1);
    for (int misses = 0; misses < mostInVain && mayGoOn(); ++misses) {
        const TracedPlan* const plan = m_attempts.best() ? m_attempts.best() : m_attempts.nearest();
        if (!plan)
            return {};
        const std::size_t bests = m_attempts.bests();
        STAGECRAFT_TRY(from(shaken(m_attempts.ground().none, plan->partition, draw)));
        misses = m_attempts.bests() > bests ? -1 : misses;
    }
    return {};
}

} // namespace stagecraft
