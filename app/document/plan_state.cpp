#include "app/document/plan_state.h"

#include "core/workflow.h"

#include <algorithm>

namespace stagecraft {

bool isSame(const PlanState& a, const PlanState& b)
{
    return a.choices == b.choices && a.constraints == b.constraints && a.locks == b.locks &&
           a.times == b.times && a.profile == b.profile && a.problem == b.problem &&
           a.partition == b.partition;
}

PartitionOptions partitionOptions(const PlanState& state, Seconds timeLimit)
{
    PartitionOptions options = state.constraints;
    options.stageCount = state.choices.stageCount;
    options.microbatches = state.choices.microbatches;
    options.schedule = state.choices.schedule;
    options.stagesPerDevice = state.choices.stagesPerDevice;
    options.objective = state.choices.objective;
    options.send = state.choices.send;
    options.timeLimit = timeLimit;
    options.memoryLimits.clear();
    if (state.choices.memoryLimit)
        options.memoryLimits = {*state.choices.memoryLimit};
    // What was given boundary by boundary or stage by stage has lost its meaning with the number of stages.
    if (options.speeds.size() != options.stageCount)
        options.speeds.clear();
    if (options.links.size() + 1 != options.stageCount)
        options.links.clear();
    std::erase_if(options.pins, [&](const Pin& pin) { return pin.stage.index() >= options.stageCount; });
    return options;
}

PartitionOptions partitionOptions(const PlanState& state, Seconds timeLimit, const DeviceSpec& device)
{
    PartitionOptions options = partitionOptions(state, timeLimit);
    if (options.memoryLimits.empty())
        options.memoryLimits = planLimits(device);
    return options;
}

PlanChoices withChanges(PlanChoices now, const PlanChoices& before, const PlanChoices& asked)
{
    const auto take = [&](auto... fields) {
        ((asked.*fields == before.*fields ? void() : void(now.*fields = asked.*fields)), ...);
    };
    take(&PlanChoices::stageCount, &PlanChoices::microbatches, &PlanChoices::deviceId, &PlanChoices::schedule,
         &PlanChoices::stagesPerDevice, &PlanChoices::objective, &PlanChoices::send, &PlanChoices::mode,
         &PlanChoices::precision, &PlanChoices::optimizer, &PlanChoices::memoryLimit, &PlanChoices::sizes);
    return now;
}

PlanChoices fittedChoices(PlanChoices choices, std::size_t nodeCount)
{
    const std::size_t most = std::max<std::size_t>(1, nodeCount);
    const std::size_t each = std::max<std::size_t>(1, choices.stagesPerDevice);
    if (most < each) {
        PartitionOptions options;
        options.schedule = choices.schedule;
        options.stagesPerDevice = choices.stagesPerDevice;
        options.objective = choices.objective;
        setSchedule(options, ScheduleKind::OneFOneB);
        choices.schedule = options.schedule;
        choices.stagesPerDevice = options.stagesPerDevice;
        choices.objective = options.objective;
        choices.stageCount = most;
        return choices;
    }
    choices.stageCount = std::clamp<std::size_t>(choices.stageCount, each, most);
    choices.stageCount -= choices.stageCount % each;
    return choices;
}

PlanChoices choicesOf(const PartitionOptions& options, PlanChoices choices)
{
    choices.stageCount = options.stageCount;
    choices.microbatches = options.microbatches;
    choices.schedule = options.schedule;
    choices.stagesPerDevice = options.stagesEach();
    choices.objective = options.objective;
    choices.send = options.send;
    choices.memoryLimit =
        options.memoryLimits.empty() ? std::nullopt : std::optional(options.memoryLimits.front());
    return choices;
}

} // namespace stagecraft
