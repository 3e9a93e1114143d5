// The run-time part that every export carries: the text of resources/python/pipeline.py.
#pragma once

#include <string_view>

namespace stagecraft {

std::string_view pipelineScript();

// The text of resources/python/run_stages.py, which verification runs.
std::string_view stageRunnerScript();

} // namespace stagecraft
