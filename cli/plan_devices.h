// What a plan runs on and is profiled for: as its file says, but for what the command line does; and stages
// on other kinds of devices.
#pragma once

#include "cli/plan_options.h"
#include "cli/profile_options.h"
#include "core/plan/device_kinds.h"
#include "core/plan/sources/made_for.h"
#include "core/stage_speeds.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft::cli {

struct FlagsOfPlan
{
    ProfileFlags flags;                    // what was given, and for the rest what the plan was made for
    std::string device;                    // that it was made for, if it is known; else that of the flags
    std::vector<std::string> stageDevices; // as in PlanRequest
    bool isAsMade = true;                  // the speeds of its stages hold
    std::vector<std::string> notes;        // what is otherwise than it was made for
};
// `command` tells what was given. Without `made` nothing is otherwise, but nobody knows.
Result<FlagsOfPlan> flagsOfPlan(const CLI::App& command, const ProfileFlags& given,
                                const std::optional<MadeFor>& made);

// The devices that are known, and `device`, which may be of a file.
Result<std::vector<DeviceSpec>> devicesWith(const DeviceSpec& device);
void addStageDevices(CLI::App& command, std::vector<std::string>& texts);
// The request with stages on the devices of these "STAGE=DEVICE" texts. Fails with code BadUsage.
Result<PlanRequest> withStageDevices(PlanRequest request, const std::vector<std::string>& texts,
                                     const std::vector<DeviceSpec>& known);

// A plan's options, and what the plan is made for.
struct PlacedPlan
{
    PartitionOptions options;
    MadeFor madeFor;
};
// `options`, whose limits are the plan's device's already, for the devices of the stages. `asMade`: what a
// plan file says of them; null: there is none.
Result<PlacedPlan> placedPlan(const Model& model, PartitionOptions options, const ProfileFlags& profile,
                              const PlanFlags& plan, const FlagsOfPlan* asMade, const Progress& progress);

} // namespace stagecraft::cli
