// How fast a plan's stages are that run on other kinds of devices than the plan's.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/plan/request.h"
#include "core/profile/profile.h"

#include <span>
#include <vector>

namespace stagecraft {

// The plan's options with the speed of each stage that has a device by name: how many times faster a step of
// the whole model is there than on options.device, by estimates. The other speeds stay as they are. Fails as
// traceAndProfile() does, and where a device is not `known`.
Result<PartitionOptions> withStageSpeeds(PartitionOptions plan, std::span<const std::string> stageDevices,
                                         std::span<const DeviceSpec> known, const Model& model,
                                         const ProfileOptions& options, const Progress& progress = {});

} // namespace stagecraft
