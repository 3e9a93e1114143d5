#include "core/searched_bound.h"

#include "core/bound_of_all.h"

#include <utility>

namespace stagecraft {

namespace {

constexpr double far = 0.15;
constexpr double near = 0.08;
constexpr double besideSearch = 0.8;

} // namespace

RecomputeBounds& SearchedBound::bounds()
{
    if (!m_bounds)
        m_bounds = std::make_unique<RecomputeBounds>(m_attempts.ground());
    return *m_bounds;
}

Result<void> SearchedBound::begin()
{
    const TracedPlan* const best = m_attempts.best();
    if (!best || m_bound)
        return {};
    STAGECRAFT_ASSIGN(all, boundOfAll(bounds(), best->cost, m_progress, BoundBy::Nodes, &m_cuts));
    m_bound = std::move(all);
    return {};
}

void SearchedBound::raise(BoundBy by, Seconds end)
{
    const TracedPlan* const best = m_attempts.best();
    if (!best || isClosed() || !best->cost.fits() || !m_options.limitsMemory())
        return;
    Bound raised =
        m_bounds->of(best->cost.bottleneckTime, m_attempts.overAt(end), by, m_bound->value, &m_cuts);
    if (raised.value > m_bound->value)
        m_bound = std::move(raised);
    m_isSettled = by == BoundBy::Stages && !m_attempts.overAt(end)();
}

double SearchedBound::shareBeside() const
{
    return m_isSettled ? mostShare : besideSearch;
}

bool SearchedBound::isWithin(double share) const
{
    const TracedPlan* const best = m_attempts.best();
    return best && m_bound && m_bound->value >= best->cost.bottleneckTime * (1 - share);
}

bool SearchedBound::isClosed() const
{
    return isWithin(toGain) && m_attempts.best()->cost.objective != Objective::Iteration;
}

bool SearchedBound::isFar() const
{
    return !isWithin(far);
}

bool SearchedBound::isNear() const
{
    return isWithin(near);
}

} // namespace stagecraft
