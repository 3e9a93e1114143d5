// Several kinds of devices in one plan: which stage runs on which, by name (PlanRequest::stageDevices).
//
//     device         h100-sxm                          of the plan: what its profile is made for
//     stageDevices   "", "", "t4", "t4"                of each stage; "": the plan's
//     speeds         1,  1,  0.06, 0.06                found out by profiling (core/stage_speeds.h)
//
// Speeds that a person typed have no name. Limits and links are those of the devices (stage_places.h).
#pragma once

#include "core/plan/request.h"
#include "core/plan/stage_places.h"
#include "core/profile/device/device.h"

#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// The id of the device that a stage runs on.
const std::string& deviceOfStage(const PlanRequest& request, std::size_t stage);
// A name for each stage that there is now: those to come run on what the last one does.
void fitStageDevices(PlanRequest& request);

struct DeviceKind
{
    std::string device; // its id
    double speed = 1;   // that a person typed
    std::size_t count = 0;

    friend bool operator==(const DeviceKind&, const DeviceKind&) = default;
};
// All devices of the plan, in the order of the stages, those that are alike counted together.
std::vector<DeviceKind> deviceKinds(const PlanRequest& request);

// "2 × NVIDIA H100 + 2 × NVIDIA T4"; with a typed speed "1 × NVIDIA T4 at 0.5 × its speed". Devices that are
// not `known` by their id.
std::string devicesText(const PlanRequest& request, std::span<const DeviceSpec> known);

// What a device has, where nothing else is asked for.
UsualPlace usualPlace(const DeviceSpec& device);
// `request` with those stages on that one of `known`: with what it may hold, and its links, the slower of two
// where devices of two kinds meet; its speed is to be found out yet. Fails where stages share devices, and
// where a device is not known.
Result<PlanRequest> withStagesOn(PlanRequest request, std::span<const std::size_t> stages,
                                 const std::string& device, std::span<const DeviceSpec> known);
// `asked`, of which the stages with names keep what their devices have, and the others get what the plan's
// device has now, if that is not what it was in `before`; of stages of one kind the links alone do, as limits
// that are there were asked for. Fails where stages on several kinds share devices.
Result<PlanRequest> withKindsKept(PlanRequest asked, const PlanRequest& before,
                                  std::span<const DeviceSpec> known);

} // namespace stagecraft
