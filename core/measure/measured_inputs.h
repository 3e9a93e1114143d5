// What a file of times says of the run that they are from: its inputs, which must be those that are planned
// for, its device and precision, and what its stages held.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/profile.h"

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

struct TimingRun
{
    std::string device;    // as PyTorch or a device file names it
    std::string precision; // as `--precision` has it; without one the types of the file
};

// Of a whole file of times. Fails, naming `file` and the field, where one of the two is no text.
Result<TimingRun> timingRun(const nlohmann::json& document, const std::string& file);

// A line for each thing in which the run was otherwise than what is planned for: its times count all the
// same.
std::vector<std::string> otherThanPlanned(const TimingRun& run, const ProfileOptions& planned);

// {"0": {"peak_allocated_bytes": 1073741824, "peak_reserved_bytes": 1207959552}}, as measure_model.py writes
// it for devices that tell: a line for each stage that has a peak. Fails, naming `file` and the stage, where
// it is something else.
Result<std::vector<std::string>> measuredMemory(const nlohmann::json& stages, const std::string& file);

} // namespace stagecraft
