#include "core/plan/sources/made_for.h"

#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/plan/stage_labels.h"

#include <algorithm>

namespace stagecraft {

namespace {

const DeviceSpec* findKnown(std::span<const DeviceSpec> known, std::string_view id)
{
    const auto found = std::ranges::find(known, id, &DeviceSpec::id);
    return found == known.end() ? nullptr : &*found;
}

NamedDevice named(const std::string& id, std::span<const DeviceSpec> known)
{
    const DeviceSpec* device = findKnown(known, id);
    return device ? NamedDevice{id, device->name, sha256Of(deviceJson(*device))} : NamedDevice{id, id, {}};
}

std::string calledSo(const NamedDevice& device)
{
    const std::string id = "'" + printable(device.id) + "'";
    return device.name.empty() || device.name == device.id ? id : printable(device.name) + " (" + id + ")";
}

std::string otherFigures(const NamedDevice& device)
{
    return calledSo(device) +
           " has other figures here than when the plan was saved: the plan's figures are by those "
           "of here";
}

bool isAsItWas(const NamedDevice& saved, const DeviceSpec& here)
{
    return saved.figures.empty() || saved.figures == sha256Of(deviceJson(here));
}

void takeDevice(const NamedDevice& saved, std::span<const DeviceSpec> known, RequestAgain& again)
{
    const DeviceSpec* here = findKnown(known, saved.id);
    if (here)
        again.request.device = saved.id;
    if (here && isAsItWas(saved, *here))
        return;
    again.hasSameDevices = false;
    again.notes.push_back(here ? otherFigures(saved)
                               : "the plan was made for " + calledSo(saved) +
                                     ", which is not known here: its figures are those of " +
                                     calledSo(named(again.request.device, known)) + " instead");
}

// A stage on an unknown device keeps the speed, limit and link that the plan has for it.
void takeStageDevices(const MadeFor& made, std::span<const DeviceSpec> known, RequestAgain& again)
{
    again.request.stageDevices.clear();
    for (std::size_t stage = 0; stage < made.stageDevices.size(); ++stage) {
        const std::optional<NamedDevice>& saved = made.stageDevices[stage];
        const DeviceSpec* here = saved ? findKnown(known, saved->id) : nullptr;
        again.request.stageDevices.push_back(here ? saved->id : std::string());
        const bool isSame = !saved || (here && isAsItWas(*saved, *here));
        again.hasSameDevices = again.hasSameDevices && isSame;
        if (!isSame && here)
            again.notes.push_back(otherFigures(*saved));
        else if (!isSame)
            again.notes.push_back(
                stageLabel(StageId(static_cast<std::uint32_t>(stage))) + " ran on " + calledSo(*saved) +
                ", which is not known here: its speed, limit and links stay as they were saved");
    }
    if (std::ranges::all_of(again.request.stageDevices, &std::string::empty))
        again.request.stageDevices.clear();
}

} // namespace

MadeFor madeFor(const PlanRequest& request, std::span<const DeviceSpec> known)
{
    MadeFor made{.device = named(request.device, known), .profile = request.profile};
    for (const std::string& id : request.stageDevices)
        made.stageDevices.push_back(id.empty() ? std::nullopt : std::optional(named(id, known)));
    return made;
}

RequestAgain requestMadeFor(const MadeFor& made, PlanRequest base, std::span<const DeviceSpec> known)
{
    RequestAgain again{.request = std::move(base), .notes = {}};
    again.request.profile = made.profile;
    takeDevice(made.device, known, again);
    takeStageDevices(made, known, again);
    if (!made.times.empty())
        again.notes.push_back("the plan was made with " + printable(made.times) +
                              " times, which a plan file does not hold: its figures are estimates now");
    if (!made.substitutes.empty())
        again.notes.push_back("the plan was made with costs of '" + printable(made.substitutes) +
                              "' for operators that are not known, which a plan file does not hold");
    return again;
}

} // namespace stagecraft
