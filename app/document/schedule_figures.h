// What the schedule panel shows of a plan.
#pragma once

#include "app/document/plan_state.h"
#include "views/charts/schedule_view.h"

#include <memory>

namespace stagecraft {

// The step of `state` as the simulator runs it; null while there are no costs.
std::shared_ptr<const ScheduleFigures> scheduleFigures(const PlanState& state);

} // namespace stagecraft
