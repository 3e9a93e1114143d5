// The run-time part that every export carries: the text of resources/python/pipeline.py.
#pragma once

#include <string_view>

namespace stagecraft {

std::string_view pipelineScript();

} // namespace stagecraft
