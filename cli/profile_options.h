// Options that say for what a model is profiled; shared by every command that needs a profile.
#pragma once

#include "cli/request_fields.h"
#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/profile/device/own_devices.h"
#include "core/profile/profile.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

struct ProfileFlags
{
    FieldTexts fields;
    std::string device = "a100-sxm-80gb";
    bool masterWeights = false;
    std::vector<std::string> bindings; // "s0=8"
    std::vector<std::string> bounds;   // "u0=9"
    std::string substitutes;           // a file: what unknown operators cost
    std::string times;                 // a file: how long nodes take
    std::string lossOutput;            // the output that a step goes back from; empty: by the rule
};

// A device by its name, or by its file, which ends with ".json".
Result<DeviceSpec> namedDevice(const std::string& name);
// Those that come along and one's own.
Result<OwnDevices> knownDevices();

// --loss-output.
void addLossOutput(CLI::App& command, std::string& lossOutput);
void addProfileFlags(CLI::App& command, ProfileFlags& flags);

// Fails, naming the flag's value and what there is, with code BadUsage.
Result<ProfileOptions> profileOptions(const ProfileFlags& flags);

// The profile for `options`, with the times of flags.times in it. Fails as traceModel() and readTimes() do.
Result<Profile> makeProfile(const Model& model, const ProfileOptions& options, const ProfileFlags& flags,
                            const Progress& progress);

// Reads the "s0=8" texts of --bind. Fails with code BadUsage.
Result<Bindings> parseBindings(const std::vector<std::string>& texts, const std::string& option = "--bind");

} // namespace stagecraft::cli
