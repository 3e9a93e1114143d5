// PlanRequest: all that a person asks of a plan and of the profile that it is made from. The command line,
// the plan file and the window each map to it, by one table of its fields.
#pragma once

#include "core/plan/options.h"
#include "core/profile/profile.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// What an export runs on: its own run-time is made of torch's stages and schedules, so what these hold, a
// person's device holds. That of up to 2.14 holds most.
inline constexpr PipelineRuntime usualRuntime = PipelineRuntime::Torch214;

struct PlanRequest
{
    std::string device; // its id
    ProfileRequest profile;
    PartitionOptions plan{.runtime = usualRuntime}; // without limits of memory: what the device has
    // By stage the ids of the devices of several kinds (device_kinds.h), "": `device`. None: all are that.
    std::vector<std::string> stageDevices = {};

    friend bool operator==(const PlanRequest&, const PlanRequest&) = default;
};

struct FieldChoice
{
    std::string_view name;
    std::string_view title; // for people
};

// A field whose value is one of a list, or a whole number.
struct RequestField
{
    std::string_view name;                 // "optimizer-variant", as on the command line
    std::string_view title;                // "Optimizer variant", as in the window
    std::string_view help;                 // what it is, on the command line
    std::vector<FieldChoice> (*choices)(); // in the order in which they are offered; null: a number
    std::string (*print)(const PlanRequest& request);
    // Fails, listing what there is, and leaves the request as it is.
    Result<void> (*parse)(PlanRequest& request, std::string_view text);
};

std::span<const RequestField> requestFields();
// The one called so, which is there.
const RequestField& requestField(std::string_view name);
// What the request says in that field, for people: the title of its choice, or the number.
std::string chosenTitle(const RequestField& field, const PlanRequest& request);

} // namespace stagecraft
