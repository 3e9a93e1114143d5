// Options that say for what a model is profiled; shared by every command that needs a profile.
#pragma once

#include "core/profile/profile.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

struct ProfileFlags
{
    std::string mode = "train";
    std::string device = "a100-sxm-80gb";
    std::string lowering = "device";
    std::string optimizer = "adamw";
    std::string optimizerVariant = "default";
    std::string precision = "exported";
    std::string gradients = "dropped";
    bool masterWeights = false;
    std::vector<std::string> bindings; // "s0=8"
};

void addProfileFlags(CLI::App& command, ProfileFlags& flags);

// Fails, naming the flag's value and what there is, with code BadUsage.
Result<ProfileOptions> profileOptions(const ProfileFlags& flags);

// Reads "s0=8" texts. Fails with code BadUsage.
Result<Bindings> parseBindings(const std::vector<std::string>& texts);

} // namespace stagecraft::cli
