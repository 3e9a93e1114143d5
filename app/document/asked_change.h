// AskedChange: what a person asks of a plan while it is under way. It comes on top of what there is by then,
// and what is asked next comes on top of it.
#pragma once

#include "app/document/plan_state.h"

#include <QString>

#include <optional>
#include <utility>

namespace stagecraft {

class AskedChange
{
public:
    // Of `now`. Left out where something waits.
    void take(const PlanState& now, const PlanState& target);
    // The same, for later; the name is that of the step.
    void wait(const PlanState& now, const PlanState& target, const QString& name);
    void dropWaiting() { m_waiting.reset(); }
    // The name of what waited, which it does no longer.
    std::optional<QString> takeWaiting() { return std::exchange(m_waiting, std::nullopt); }
    bool isWaiting() const { return m_waiting.has_value(); }
    // `now` with all that, on a model of so many nodes; what is made of it is yet that of `now`.
    PlanState on(const PlanState& now, std::size_t nodeCount) const;

private:
    PlanState m_before; // what there was when it was asked
    PlanState m_target;
    std::optional<QString> m_waiting;
};

// Is the same asked in both?
bool areAskedAlike(const PlanState& a, const PlanState& b);
// Times of other sizes than are asked: were there any?
bool dropTimesOfOtherSizes(PlanState& state);

} // namespace stagecraft
