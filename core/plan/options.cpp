#include "core/plan/options.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

// Far beyond any use; beyond them a schedule would fill the memory.
constexpr std::size_t mostStages = 100'000;
constexpr std::size_t mostActions = 20'000'000;

Error badOption(std::string message)
{
    return Error{ErrorCode::BadUsage, std::move(message)};
}

void changeStaging(PartitionOptions& options, ScheduleKind kind, std::size_t each)
{
    const bool wasUsual = options.objective == usualObjective(options);
    const std::size_t devices = options.deviceCount();
    options.schedule = kind;
    options.stagesPerDevice = each;
    options.stageCount = devices * each;
    if (wasUsual)
        options.objective = usualObjective(options);
}

bool isCount(std::size_t given, std::size_t expected)
{
    return given == 0 || given == 1 || given == expected;
}

} // namespace

Result<void> setStageCounts(PartitionOptions& options, const StageCounts& counts)
{
    const auto zero = [](const std::optional<std::size_t>& count) { return count && *count == 0; };
    if (zero(counts.stages) || zero(counts.devices) || zero(counts.perDevice))
        return badOption("a plan needs at least one stage on at least one device");
    const std::size_t most =
        std::max({counts.stages.value_or(1), counts.devices.value_or(1), counts.perDevice.value_or(1)});
    if (most > mostStages)
        return badOption(counted(most, "stage") + " are more than a plan can have");
    const auto fixed = traitsOf(options.schedule).fixedStages;
    if (fixed && counts.perDevice.value_or(*fixed) != *fixed)
        return badOption("schedule " + std::string(scheduleName(options.schedule)) + " runs " +
                         counted(*fixed, "stage") + " a device, not " + std::to_string(*counts.perDevice));
    if (counts.stages && counts.devices) {
        options.stagesPerDevice = *counts.stages / *counts.devices;
        if (*counts.stages % *counts.devices != 0 ||
            counts.perDevice.value_or(options.stagesPerDevice) != options.stagesPerDevice)
            return badOption(
                counted(*counts.stages, "stage") + " cannot be divided among " +
                counted(*counts.devices, "device") + ", " +
                (counts.perDevice ? std::to_string(*counts.perDevice) + " to each" : "as many to each"));
        options.stageCount = *counts.stages;
        return {};
    }
    if (counts.stages) {
        options.stagesPerDevice = counts.perDevice.value_or(fixed.value_or(1));
        options.stageCount = *counts.stages;
        return {};
    }
    const std::size_t devices = counts.devices.value_or(PartitionOptions().deviceCount());
    options.stagesPerDevice = counts.perDevice.value_or(usualStagesPerDevice(options.schedule));
    options.stageCount = devices * options.stagesPerDevice;
    return {};
}

void setSchedule(PartitionOptions& options, ScheduleKind kind)
{
    changeStaging(options, kind, usualStagesPerDevice(kind, options.stagesEach()));
}

void setStagesPerDevice(PartitionOptions& options, std::size_t each)
{
    changeStaging(options, options.schedule, each);
}

void fitToStages(PartitionOptions& options)
{
    const auto fit = [](auto& items, std::size_t count) {
        if (items.size() > 1 && items.size() != count)
            items.resize(count, items.back());
    };
    fit(options.speeds, options.stageCount);
    fit(options.memoryLimits, options.stageCount);
    fit(options.links, options.stageCount > 0 ? options.stageCount - 1 : 0);
    options.recompute = withinStages(std::move(options.recompute), options.stageCount);
}

Objective usualObjective(const PartitionOptions& options)
{
    return options.sharesDevices() ? Objective::Iteration : Objective::Sum;
}

std::string stagingText(const PartitionOptions& options)
{
    const std::string stages = counted(options.stageCount, "stage");
    return options.sharesDevices() ? stages + " on " + counted(options.deviceCount(), "device") : stages;
}

Result<Schedule> scheduleOf(const PartitionOptions& options)
{
    const std::size_t each = options.stagesEach();
    if (each == 0 || options.stageCount % each != 0)
        return badOption(counted(options.stageCount, "stage") + " cannot run " + std::to_string(each) +
                         " to a device, as the " + std::string(scheduleName(options.schedule)) +
                         " schedule has it");
    return makeSchedule(options.schedule, options.stageCount, options.deviceCount(), options.microbatches);
}

Result<void> checkOptions(const PartitionOptions& options)
{
    const std::size_t stages = options.stageCount;
    if (stages == 0)
        return badOption("a plan needs at least one stage");
    if (options.microbatches == 0)
        return badOption("a step needs at least one microbatch");
    if (stages > mostStages)
        return badOption(std::to_string(stages) + " stages are more than a plan can have");
    if (options.microbatches > mostActions / stages)
        return badOption(std::to_string(options.microbatches) +
                         " microbatches are more than a step can have");
    STAGECRAFT_TRY(scheduleOf(options));
    if (!isCount(options.speeds.size(), stages))
        return badOption("there are speeds of " + std::to_string(options.speeds.size()) + " devices for " +
                         std::to_string(stages) + " stages");
    if (!isCount(options.memoryLimits.size(), stages))
        return badOption("there are memory limits of " + std::to_string(options.memoryLimits.size()) +
                         " stages for " + std::to_string(stages));
    if (!isCount(options.links.size(), stages - 1))
        return badOption("there are " + std::to_string(options.links.size()) + " links for " +
                         std::to_string(stages - 1) + " boundaries");
    const std::vector<StageRecompute>& recomputed = options.recompute.ofStages;
    if (!recomputed.empty() && recomputed.back().last >= stages)
        return badOption("stage " + std::to_string(recomputed.back().last) +
                         " is to recompute otherwise, but the stages are 0 to " + std::to_string(stages - 1));
    for (const double speed : options.speeds) {
        if (!(speed > 0) || !std::isfinite(speed))
            return badOption("the speed of a device must be above 0");
    }
    for (const Link& link : options.links) {
        if (!(link.bandwidth >= 0) || !(link.latency >= Seconds{}))
            return badOption("bandwidth and latency of a link must not be below 0");
    }
    for (const Bytes limit : options.memoryLimits) {
        if (limit < Bytes{})
            return badOption("a memory limit must not be below 0");
    }
    return {};
}

} // namespace stagecraft
