#include "app/document/asked_change.h"

namespace stagecraft {

void AskedChange::take(const PlanState& now, const PlanState& target)
{
    if (isWaiting())
        return;
    m_before = now;
    m_target = target;
}

void AskedChange::wait(const PlanState& now, const PlanState& target, const QString& name)
{
    dropWaiting();
    take(now, target);
    m_waiting = name;
}

PlanState AskedChange::on(const PlanState& now, std::size_t nodeCount) const
{
    if (!isSame(now, m_before))
        return withChanges(now, m_before, m_target, nodeCount);
    PlanState next = m_target;
    next.profile = now.profile;
    next.again = now.again;
    next.problem = now.problem;
    next.cost = now.cost;
    return next;
}

bool areAskedAlike(const PlanState& a, const PlanState& b)
{
    return a.request == b.request && a.locks == b.locks && shareFigures(a, b) && *a.partition == *b.partition;
}

bool dropTimesOfOtherSizes(PlanState& state)
{
    const bool areOther = state.times && state.times->sizes != state.request.profile.bindings;
    if (areOther)
        state.times.reset();
    return areOther;
}

} // namespace stagecraft
