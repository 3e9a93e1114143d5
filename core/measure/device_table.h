// DeviceTable: what resources/python/measure_device.py measured of a device, and the device file made of it.
//
//     table.json    {"stagecraft_device_table": 1, "torch": "2.13.0", "device": {...}, "dispatch": PROBE,
//                    "operator_dispatch": PROBE, "products": [PROBE...], "optimizers": [STEP...],
//                    "probes": [PROBE...], "steps": [...]}
//     003.pt2       the program of a probe or a step, structure only
//
//     PROBE         {"file": "003.pt2", "forward": s, "backward": s, "operators": {"aten::mm": [s, s], ...}};
//                    of operator_dispatch also "recorded": s, "unrecorded": s, forward passes with gradients
//                    and without
//     STEP          {"optimizer": "adamw", "variant": "single", "parameters": 8, "elements": 64, "step": s,
//                    "operators": {...}}
//
// Tables of before 2026-12 have no optimizers and no operator_dispatch; what is assumed of the first is said.
//
// Whole steps are predicted with the device file that came of the rest: they say how far off it is.
#pragma once

#include "core/measure/device_fit.h"
#include "core/profile/profile.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// What a training step took, and what it should take.
struct CheckedStep
{
    std::string name;
    Seconds measured, predicted; // forward, backward, optimizer
    struct Optimizer
    {
        Seconds measured, predicted;
    } optimizer; // of that, the optimizer's
    struct Peak
    {
        Bytes measured, predicted;
    };
    std::optional<Peak> allocated, reserved; // none: the device does not tell
};

struct CalibratedDevice
{
    DeviceSpec device;
    std::string torchVersion;
    std::vector<CheckedStep> steps;
    std::vector<std::string> leftOut; // operators that tell nothing, and why
};

// Is it a folder, or the table of one, as measure_device.py writes it?
bool isDeviceTable(const std::filesystem::path& path);

// What a table does not say is taken from `base`, where there is one: the link to the next device, peaks of
// further element types. Fails, naming the file and the field, where the table is not one; as openModel and
// traceModel do; and where it holds too little to tell a device by.
Result<CalibratedDevice> calibrateFromTable(const std::filesystem::path& path,
                                            const std::optional<DeviceSpec>& base = {},
                                            const Progress& progress = {});

// Of the steps: the mean of |log(predicted / measured)|, as a factor above 1: 1.08 is "8 % off".
double geometricMeanError(const std::vector<CheckedStep>& steps);

} // namespace stagecraft
