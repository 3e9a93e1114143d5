// Environment: what the program found around it when it started; handed to every window.
#pragma once

#include "core/profile/device/device.h"

#include <filesystem>
#include <memory>
#include <vector>

class QSettings;

namespace stagecraft {

struct Environment
{
    std::filesystem::path resources; // core/base/resources.h
    std::vector<DeviceSpec> devices;
    std::filesystem::path dataFolder; // where unsaved edits are kept; empty: nowhere
    Seconds searchTime{3};            // the most that a search for a split may take
    std::shared_ptr<QSettings> settings;
};

} // namespace stagecraft
