// TriedPlan: a plan of the open model as it was made: what was asked, what it comes to, how it arose.
#pragma once

#include "app/document/plan_state.h"
#include "views/base/compared_plan.h"

#include <QDateTime>
#include <QString>

#include <span>

namespace stagecraft {

// What is known of a plan's bounds.
struct KnownBounds
{
    std::optional<Bound> slowest;
    Seconds step; // 0: not known
};

struct TriedPlan
{
    std::size_t id = 0; // never another's in the same history
    PlanState state;    // with costs
    KnownBounds bounds;
    QString setup;  // planSetup()
    QString origin; // "Move boundary 1|2"
    QDateTime when;
    bool isStarred = false;
};

// Are there costs of that plan, and not of one that stands in for it?
bool hasPlan(const PlanState& state);
// Do both run the same ops in the same stages under the same question? Constraints on a search do not count.
bool isSamePlan(const PlanState& a, const PlanState& b);
// What a plan is made for: "4 × NVIDIA H100 · 8 microbatches · as exported · 1F1B".
QString planSetup(const PlanRequest& request, std::span<const DeviceSpec> devices);
// As views show it beside another.
ComparedPlan comparedPlan(const TriedPlan& plan);

} // namespace stagecraft
