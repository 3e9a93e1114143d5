// MadeFor: what a plan's figures depend on beside the model and the plan's own options, as its file says it.
//
//     "made_for": {"device": {"id": "h100-sxm", "name": "NVIDIA H100 SXM 80GB", "figures": SHA-256},
//                  "stage_devices": [null, {"id": "t4", ...}],           null: the device above
//                  "mode": "train", "lowering": "device", "precision": "exported",
//                  "optimizer": "adamw", "optimizer-variant": "default", "gradients": "absent",
//                  "segments": "fixed", "master_weights": "none", "sizes": {"s0": 8},
//                  "bounds": {"u0": 9}, "loss_output": "", "times": "", "substitutes": ""}
//
// "stage_devices" is there where stages run on several kinds of devices. "times", "substitutes": what stood
// in the place of estimates, and is in no plan file.
#pragma once

#include "core/plan/request.h"
#include "core/profile/device/device.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

struct NamedDevice
{
    std::string id;
    std::string name;    // for people
    std::string figures; // SHA-256 of deviceJson(); empty: not known

    friend bool operator==(const NamedDevice&, const NamedDevice&) = default;
};

struct MadeFor
{
    NamedDevice device;
    std::vector<std::optional<NamedDevice>> stageDevices = {}; // by stage; none: the device
    ProfileRequest profile = {};
    std::string times = {};       // "measured" or "imported"; empty: all were estimates
    std::string substitutes = {}; // the file that said what unknown operators cost; empty: none

    friend bool operator==(const MadeFor&, const MadeFor&) = default;
};

// Devices that are not `known` are named by their id alone.
MadeFor madeFor(const PlanRequest& request, std::span<const DeviceSpec> known);

// A request for the figures that the plan was saved with.
struct RequestAgain
{
    PlanRequest request;
    bool hasSameDevices = true;     // none is unknown, or has other figures than it had
    std::vector<std::string> notes; // what is not as it was, and what is taken instead
};
// `base` for those devices and that profile, as far as there are such.
RequestAgain requestMadeFor(const MadeFor& made, PlanRequest base, std::span<const DeviceSpec> known);

} // namespace stagecraft
