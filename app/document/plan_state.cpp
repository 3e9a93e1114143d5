#include "app/document/plan_state.h"

#include "core/plan/device_kinds.h"
#include "core/workflow.h"

#include <algorithm>

namespace stagecraft {

namespace {

bool areAlike(const std::vector<Bytes>& limits)
{
    return !limits.empty() &&
           std::ranges::all_of(limits, [&](Bytes limit) { return limit == limits.front(); });
}

} // namespace

void applyTimeOverrides(const TimeOverrides& given, Profile& profile)
{
    if (const auto* measured = std::get_if<MeasuredTimes>(&given.times))
        applyTimes(*measured, CostOrigin::Measured, profile);
    else
        applyImportedTimes(std::get<ImportedTimes>(given.times), profile);
}

bool isSame(const PlanState& a, const PlanState& b)
{
    return a.request == b.request && a.locks == b.locks && a.times == b.times &&
           a.substitutes == b.substitutes && a.profile == b.profile && a.problem == b.problem &&
           a.partition == b.partition;
}

bool haveSameStages(const PlanState& a, const PlanState& b)
{
    return a.partition && b.partition && *a.partition == *b.partition &&
           a.request.plan.recompute == b.request.plan.recompute;
}

PartitionOptions partitionOptions(const PlanState& state, Seconds timeLimit)
{
    PartitionOptions options = state.request.plan;
    options.timeLimit = timeLimit;
    fitToStages(options);
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

PartitionOptions partitionOptions(const PlanState& state, Seconds timeLimit,
                                  std::span<const DeviceSpec> known)
{
    const auto device = std::ranges::find(known, state.request.device, &DeviceSpec::id);
    return device == known.end() ? partitionOptions(state, timeLimit)
                                 : partitionOptions(state, timeLimit, *device);
}

PlanView planViewOf(const PlanState& state)
{
    PlanView view;
    view.profile = state.profile;
    view.partition = state.partition;
    view.cost = state.cost;
    view.again = state.again;
    return view;
}

PlanRequest withChanges(PlanRequest now, const PlanRequest& before, const PlanRequest& asked)
{
    for (const RequestField& field : requestFields())
        if (const std::string wanted = field.print(asked); wanted != field.print(before))
            static_cast<void>(field.parse(now, wanted)); // a text that it printed itself
    const auto take = [&](auto at) {
        if (at(asked) != at(before))
            at(now) = at(asked);
    };
    take([](auto& request) -> auto& { return request.device; });
    take([](auto& request) -> auto& { return request.profile.bindings; });
    take([](auto& request) -> auto& { return request.profile.bounds; });
    take([](auto& request) -> auto& { return request.profile.masterWeights; });
    take([](auto& request) -> auto& { return request.profile.lossOutput; });
    take([](auto& request) -> auto& { return request.plan.timeLimit; });
    take([](auto& request) -> auto& { return request.plan.stageCount; });
    take([](auto& request) -> auto& { return request.plan.stagesPerDevice; });
    take([](auto& request) -> auto& { return request.plan.memoryLimits; });
    take([](auto& request) -> auto& { return request.plan.speeds; });
    take([](auto& request) -> auto& { return request.plan.links; });
    take([](auto& request) -> auto& { return request.stageDevices; });
    fitToStages(now.plan);
    fitStageDevices(now);
    take([](auto& request) -> auto& { return request.plan.recompute; });
    return now;
}

PlanState withChanges(PlanState now, const PlanState& before, const PlanState& asked, std::size_t nodeCount)
{
    now.request = fittedRequest(withChanges(now.request, before.request, asked.request), nodeCount);
    if (asked.times != before.times)
        now.times = asked.times;
    if (asked.substitutes != before.substitutes)
        now.substitutes = asked.substitutes;
    return now;
}

bool shareFigures(const PlanState& a, const PlanState& b)
{
    return a.times == b.times && a.substitutes == b.substitutes;
}

bool needsAnotherProfile(const PlanRequest& before, const PlanRequest& asked)
{
    return asked.device != before.device || asked.profile != before.profile ||
           asked.stageDevices != before.stageDevices || asked.plan.recompute != before.plan.recompute;
}

PlanRequest withoutConstraints(const PlanRequest& request)
{
    PlanRequest asked = withOptions({request.device, request.profile, {}}, request.plan);
    asked.plan.timeLimit = request.plan.timeLimit;
    asked.plan.seed = request.plan.seed;
    if (asked.plan.memoryLimits.size() > 1) // of the stages of this one
        asked.plan.memoryLimits.clear();
    const RecomputePolicy& again = request.plan.recompute;
    if (again.kind != RecomputeKind::Plan) // whose regions are of this one
        asked.plan.recompute = {.kind = again.kind, .every = again.every, .operators = again.operators};
    return asked;
}

PlanRequest fittedRequest(PlanRequest request, std::size_t nodeCount)
{
    PartitionOptions& plan = request.plan;
    const std::size_t most = std::max<std::size_t>(1, nodeCount);
    const std::size_t each = std::max<std::size_t>(1, plan.stagesPerDevice);
    if (most < each) {
        setSchedule(plan, ScheduleKind::OneFOneB);
        plan.stageCount = most;
        return request;
    }
    plan.stageCount = std::clamp<std::size_t>(plan.stageCount, each, most);
    plan.stageCount -= plan.stageCount % each;
    fitStageDevices(request);
    return request;
}

PlanRequest withOptions(PlanRequest request, const PartitionOptions& options)
{
    PartitionOptions& plan = request.plan;
    plan.stageCount = options.stageCount;
    plan.microbatches = options.microbatches;
    plan.schedule = options.schedule;
    plan.stagesPerDevice = options.stagesEach();
    plan.objective = options.objective;
    plan.send = options.send;
    plan.runtime = options.runtime;
    plan.memoryLimits = options.memoryLimits;
    if (areAlike(plan.memoryLimits)) // one field for all stages
        plan.memoryLimits.resize(1);
    fitToStages(plan);
    return request;
}

} // namespace stagecraft
