// Runs a file of TorchScript as a C++ program would, for tests; LibTorch is in no header.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft::testing {

struct ScriptRun
{
    std::vector<float> output;
    std::vector<std::string> inputNames;
    std::vector<std::string> parameterNames;
    std::vector<float> gradient; // of the sum of the output, for the first parameter
    std::string error;
};

// With one input of one dimension.
ScriptRun runScript(const std::filesystem::path& file, const std::vector<float>& input);

} // namespace stagecraft::testing
