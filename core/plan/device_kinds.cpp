#include "core/plan/device_kinds.h"

#include "core/base/text.h"

#include <algorithm>

namespace stagecraft {

namespace {

Link slower(const Link& a, const Link& b)
{
    return {std::min(a.bandwidth, b.bandwidth), std::max(a.latency, b.latency)};
}

Result<DeviceSpec> knownDevice(std::span<const DeviceSpec> known, const std::string& id)
{
    return findDevice({known.begin(), known.end()}, id);
}

bool hasKinds(const PlanRequest& request)
{
    return std::ranges::any_of(request.stageDevices, [&](const std::string& id) { return !id.empty(); });
}

Result<void> checkSharing(const PlanRequest& request)
{
    if (!hasKinds(request) || !request.plan.sharesDevices())
        return {};
    return Error{ErrorCode::BadUsage, "stages that share devices run on one kind of device, and schedule " +
                                          std::string(scheduleName(request.plan.schedule)) + " has " +
                                          std::to_string(request.plan.stagesEach()) +
                                          " stages on each: put all stages on the plan's device first"};
}

// Behind that stage, as the devices on its two sides have it.
Result<Link> linkBetween(const PlanRequest& request, std::size_t stage, std::span<const DeviceSpec> known)
{
    STAGECRAFT_ASSIGN(near, knownDevice(known, deviceOfStage(request, stage)));
    STAGECRAFT_ASSIGN(far, knownDevice(known, deviceOfStage(request, stage + 1)));
    return slower(usualPlace(near).link, usualPlace(far).link);
}

} // namespace

const std::string& deviceOfStage(const PlanRequest& request, std::size_t stage)
{
    const bool isNamed = stage < request.stageDevices.size() && !request.stageDevices[stage].empty();
    return isNamed ? request.stageDevices[stage] : request.device;
}

void fitStageDevices(PlanRequest& request)
{
    if (!request.stageDevices.empty())
        request.stageDevices.resize(request.plan.stageCount, request.stageDevices.back());
    if (!hasKinds(request))
        request.stageDevices.clear();
}

std::vector<DeviceKind> deviceKinds(const PlanRequest& request)
{
    const StagePlaces places = placesOf(request.plan, {});
    std::vector<DeviceKind> kinds;
    for (std::size_t stage = 0; stage < request.plan.stageCount; ++stage) {
        const std::string& device = deviceOfStage(request, stage);
        const bool isNamed = device != request.device;
        const double speed = isNamed ? 1 : places.speeds[stage];
        const auto alike = std::ranges::find_if(
            kinds, [&](const DeviceKind& kind) { return kind.device == device && kind.speed == speed; });
        if (alike == kinds.end())
            kinds.push_back({device, speed, 1});
        else
            ++alike->count;
    }
    for (DeviceKind& kind : kinds)
        kind.count =
            std::max<std::size_t>(1, kind.count / std::max<std::size_t>(1, request.plan.stagesEach()));
    return kinds;
}

std::string devicesText(const PlanRequest& request, std::span<const DeviceSpec> known)
{
    std::string text;
    for (const DeviceKind& kind : deviceKinds(request)) {
        const auto device = std::ranges::find(known, kind.device, &DeviceSpec::id);
        const bool hasName = device != known.end() && !device->name.empty();
        text += (text.empty() ? "" : " + ") + std::to_string(kind.count) + " \u00d7 " +
                (hasName ? device->name : kind.device) +
                (kind.speed == 1 ? "" : formatted(" at %.3g \u00d7 its speed", kind.speed));
    }
    return text;
}

UsualPlace usualPlace(const DeviceSpec& device)
{
    return {device.memory > device.contextMemory ? device.memory - device.contextMemory : Bytes::max(),
            {device.linkBandwidth, device.linkLatency}};
}

Result<PlanRequest> withStagesOn(PlanRequest request, std::span<const std::size_t> stages,
                                 const std::string& device, std::span<const DeviceSpec> known)
{
    STAGECRAFT_ASSIGN(plans, knownDevice(known, request.device));
    STAGECRAFT_ASSIGN(chosen, knownDevice(known, device));
    request.stageDevices.resize(request.plan.stageCount);
    StagePlaces places = placesOf(request.plan, usualPlace(plans));
    for (const std::size_t stage : stages) {
        if (stage >= request.plan.stageCount)
            return Error{ErrorCode::BadUsage, "there is no stage " + std::to_string(stage) + " to put on '" +
                                                  device + "': the stages are 0 to " +
                                                  std::to_string(request.plan.stageCount - 1)};
        request.stageDevices[stage] = device == request.device ? std::string() : device;
        places.speeds[stage] = 1;
        places.memoryLimits[stage] = usualPlace(chosen).memoryLimit;
    }
    STAGECRAFT_TRY(checkSharing(request));
    const auto isChosen = [&](std::size_t stage) { return std::ranges::find(stages, stage) != stages.end(); };
    for (std::size_t i = 0; i < places.links.size(); ++i)
        if (isChosen(i) || isChosen(i + 1)) {
            STAGECRAFT_ASSIGN(link, linkBetween(request, i, known));
            places.links[i] = link;
        }
    setPlaces(request.plan, places, usualPlace(plans));
    fitStageDevices(request);
    return request;
}

Result<PlanRequest> withKindsKept(PlanRequest asked, const PlanRequest& before,
                                  std::span<const DeviceSpec> known)
{
    STAGECRAFT_TRY(checkSharing(asked));
    fitStageDevices(asked);
    const bool isOfOneKind = !hasKinds(asked);
    if (asked.device == before.device || (isOfOneKind && asked.plan.links.empty()))
        return asked;
    STAGECRAFT_ASSIGN(was, knownDevice(known, before.device));
    STAGECRAFT_ASSIGN(is, knownDevice(known, asked.device));
    PlanRequest old = asked;
    old.device = before.device;
    StagePlaces places = placesOf(asked.plan, usualPlace(was));
    for (std::size_t stage = 0; stage < asked.stageDevices.size(); ++stage)
        if (asked.stageDevices[stage].empty() && places.memoryLimits[stage] == usualPlace(was).memoryLimit)
            places.memoryLimits[stage] = usualPlace(is).memoryLimit;
    for (std::size_t i = 0; i < places.links.size(); ++i) {
        STAGECRAFT_ASSIGN(usualBefore, linkBetween(old, i, known));
        STAGECRAFT_ASSIGN(usualNow, linkBetween(asked, i, known));
        if (places.links[i] == usualBefore)
            places.links[i] = usualNow;
    }
    for (std::size_t stage = 0; stage < asked.stageDevices.size(); ++stage)
        if (asked.stageDevices[stage] == asked.device) {
            asked.stageDevices[stage].clear(); // it is the plan's now
            places.speeds[stage] = 1;
        }
    const std::vector<Bytes> limits = asked.plan.memoryLimits;
    setPlaces(asked.plan, places, usualPlace(is));
    if (isOfOneKind)
        asked.plan.memoryLimits = limits; // of all alike, which somebody asked for
    fitStageDevices(asked);
    return asked;
}

} // namespace stagecraft
