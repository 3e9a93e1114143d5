#include "app/document/stages_memory.h"

#include "core/plan/evaluate.h"

namespace stagecraft {

std::shared_ptr<const StagesMemory> stagesMemory(const PlanState& state)
{
    if (!state.cost || !state.problem || state.problem->stageCount() != state.partition->stageCount)
        return nullptr;
    const Result<Schedule> schedule = scheduleOf(state.problem->options);
    if (!schedule.has_value())
        return nullptr;
    ScheduleCosts costs = scheduleCosts(*state.problem, *state.partition);
    const Result<Timeline> timeline = simulate(*schedule, costs);
    if (!timeline.has_value())
        return nullptr;
    return std::make_shared<const StagesMemory>(
        stagesMemoryOf(*timeline, std::move(costs.stages), state.cost->devices));
}

} // namespace stagecraft
