// The way from any model file to a Model: what openModel() reads, and TorchScript.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft {

// What a person says beside the file.
struct OpenRequest
{
    std::string program = {};             // of a .pt2: which of several programs (core/load/open_program.h)
    std::vector<std::string> inputs = {}; // of TorchScript: their types (core/script/read_script.h)
};

// Opens a .pt2 of every container, or a scripted or traced .pt, which of them its content tells. Fails as
// openProgram() and readTorchScript() do, and with code BadUsage where what is asked is for the other kind.
Result<Model> openModelFile(const std::filesystem::path& path, const OpenRequest& request = {},
                            const Progress& progress = {});

} // namespace stagecraft
