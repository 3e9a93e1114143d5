// The inputs that times were measured with: where a file says them, they must be those that are planned for.
#pragma once

#include "core/graph/graph.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace stagecraft {

struct MeasuredInput
{
    std::string name; // of the graph's input
    std::vector<std::int64_t> sizes;
};

// {"x": [8, 3, 224, 224]}, as measure_model.py writes it. Fails, naming `file` and the input, where it is
// something else.
Result<std::vector<MeasuredInput>> measuredInputs(const nlohmann::json& inputs, const std::string& file);

// Fails where an input has other sizes under `bindings`, saying both and how to measure with these. Inputs
// that the graph does not have are passed over: nodes are found by their names.
Result<void> checkMeasuredInputs(const std::vector<MeasuredInput>& inputs, const std::string& file,
                                 const Graph& graph, const Bindings& bindings);

} // namespace stagecraft
