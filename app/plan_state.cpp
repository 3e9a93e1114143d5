#include "app/plan_state.h"

namespace stagecraft {

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
    if (options.memoryLimits.empty() && device.memory > device.contextMemory)
        options.memoryLimits = {device.memory - device.contextMemory};
    return options;
}

PlanChoices choicesOf(const PartitionOptions& options, PlanChoices choices)
{
    choices.stageCount = options.stageCount;
    choices.microbatches = options.microbatches;
    choices.schedule = options.schedule;
    choices.stagesPerDevice = options.stagesPerDevice;
    choices.objective = options.objective;
    choices.send = options.send;
    choices.memoryLimit =
        options.memoryLimits.empty() ? std::nullopt : std::optional(options.memoryLimits.front());
    return choices;
}

} // namespace stagecraft
