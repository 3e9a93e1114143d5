// What all stages of a plan hold over its step, for the panel of the step's memory.
#pragma once

#include "app/document/plan_state.h"
#include "views/charts/stages_memory.h"

#include <memory>

namespace stagecraft {

// As the simulator runs the plan of `state`; null while there are no costs.
std::shared_ptr<const StagesMemory> stagesMemory(const PlanState& state);

} // namespace stagecraft
