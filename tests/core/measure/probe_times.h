// Probes that took what a test says, for DeviceFit.
#pragma once

#include "core/measure/device_fit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft {

// Of whose host nothing is known.
inline DeviceSpec cudaDevice()
{
    DeviceSpec device = *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "t4.json");
    device.host = {};
    return device;
}

// Whose operators have times of their own.
inline DeviceSpec processor()
{
    DeviceSpec device = cudaDevice();
    device.kind = "cpu";
    return device;
}

inline Model modelOf(const Graph& graph)
{
    return {.name = graph.name(), .graph = graph};
}

// Every operator of it takes so long, and a pass far longer.
inline ProbeTimes evenProbe(const Graph& graph, const DeviceSpec& device, double seconds)
{
    ProbeTimes probe{.model = modelOf(graph), .forward = Seconds(1), .backward = Seconds(1)};
    const auto counts = operatorCounts(*traceProbe(probe.model, device).value());
    for (const auto& [name, count] : counts)
        probe.operators[name] = std::vector<double>(count, seconds);
    return probe;
}

} // namespace stagecraft
