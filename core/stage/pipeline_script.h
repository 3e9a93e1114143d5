// The run-time part that every export carries: the texts of resources/python.
#pragma once

#include <span>
#include <string_view>

namespace stagecraft {

struct RuntimeFile
{
    std::string_view name; // within the folder of the export: "pipeline.py", "examples/train.py"
    std::string_view text;
};

std::span<const RuntimeFile> runtimeFiles();

// The text of resources/python/run_stages.py, which verification runs.
std::string_view stageRunnerScript();

} // namespace stagecraft
